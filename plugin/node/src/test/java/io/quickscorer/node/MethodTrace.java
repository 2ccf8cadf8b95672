// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectCollectedException;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A debugger that records the source files whose methods some threads of a JVM enter. The JVM
 * connects to it when it starts.
 */
final class MethodTrace implements AutoCloseable {
  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private final CompletableFuture<VirtualMachine> machine;
  private final Set<String> files = new LinkedHashSet<>();
  private final Map<Long, Boolean> recorded = new HashMap<>();
  private volatile Pattern threads = Pattern.compile("");

  private MethodTrace(
      ListeningConnector connector, Map<String, Connector.Argument> arguments, String address) {
    this.connector = connector;
    this.arguments = arguments;
    this.address = address;
    this.machine =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                VirtualMachine vm = connector.accept(arguments);
                // A JVM whose events are not taken waits.
                Thread.ofPlatform().daemon().start(() -> record(vm));
                return vm;
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /** Waits on a free port for a JVM that starts with {@link #option}. */
  static MethodTrace listen() throws Exception {
    for (ListeningConnector connector : Bootstrap.virtualMachineManager().listeningConnectors()) {
      if (connector.transport().name().equals("dt_socket")) {
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("port").setValue("0");
        arguments.get("localAddress").setValue("127.0.0.1");
        return new MethodTrace(connector, arguments, connector.startListening(arguments));
      }
    }
    throw new IllegalStateException("this JDK has no debugger over sockets");
  }

  /** Returns the option with which the JVM connects. */
  String option() {
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=n,address=" + address;
  }

  /**
   * Begins to record.
   *
   * @param classes the classes whose methods are recorded, such as {@code com.example.*}
   * @param threads is found in the names of the threads whose methods are recorded
   */
  void begin(String classes, Pattern threads) {
    this.threads = threads;
    VirtualMachine vm = machine.join();
    MethodEntryRequest request = vm.eventRequestManager().createMethodEntryRequest();
    request.addClassFilter(classes);
    request.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    request.enable();
  }

  private void record(VirtualMachine vm) {
    try {
      while (true) {
        for (Event event : vm.eventQueue().remove()) {
          if (event instanceof MethodEntryEvent entry && isRecorded(entry.thread())) {
            String file = file(entry.method());
            synchronized (files) {
              if (files.add(file)) {
                files.notifyAll();
              }
            }
          }
        }
      }
    } catch (InterruptedException | VMDisconnectedException e) {
      // The recording is over.
    }
  }

  /** Returns whether a thread is recorded; the JVM is asked for each name once. */
  private boolean isRecorded(ThreadReference thread) {
    return recorded.computeIfAbsent(
        thread.uniqueID(),
        id -> {
          try {
            return threads.matcher(thread.name()).find();
          } catch (ObjectCollectedException e) {
            return false; // the thread has ended, which threads of pools don't
          }
        });
  }

  private static String file(Method method) {
    String type = method.declaringType().name();
    // Classes of lambda expressions have no source.
    return type.split("[$]", 2)[0].replace('.', '/') + ".java";
  }

  /**
   * Returns the source files whose methods were entered since {@link #begin}, in the order of their
   * first entry, up to a file that is entered last. The JVM sends the entries in order, but later
   * than they happen: without such a file, entries would be missing.
   *
   * @param last the end of the last file's path; the file is not part of the list
   * @throws IllegalStateException if the file was not entered within a minute
   */
  List<String> filesBefore(String last) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    synchronized (files) {
      while (true) {
        List<String> entered = List.copyOf(files);
        for (int i = 0; i < entered.size(); i++) {
          if (entered.get(i).endsWith(last)) {
            return entered.subList(0, i);
          }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (millis <= 0) {
          throw new IllegalStateException(last + " was not entered, only " + entered);
        }
        files.wait(millis);
      }
    }
  }

  @Override
  public void close() throws Exception {
    try {
      machine.join().dispose();
    } catch (VMDisconnectedException e) {
      // The JVM has ended.
    }
    connector.stopListening(arguments);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What a JVM of this machine has used so far. */
final class Gauge implements AutoCloseable {
  private final JMXConnector connector;
  private final ThreadMXBean threads;
  private final MemoryMXBean memory;

  Gauge(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        connector =
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException(e);
    }
    MBeanServerConnection beans = connector.getMBeanServerConnection();
    threads = proxy(beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    memory = proxy(beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
  }

  private static <T> T proxy(MBeanServerConnection beans, String name, Class<T> type)
      throws IOException {
    return ManagementFactory.newPlatformMXBeanProxy(beans, name, type);
  }

  /** Bytes that all threads have allocated so far. */
  long allocated() {
    return threads.getTotalThreadAllocatedBytes();
  }

  /** Bytes of the heap in use after a full collection. */
  long heapAfterCollection() {
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  int threads() {
    return threads.getThreadCount();
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The JVM has ended, and the connection with it.
    }
  }
}

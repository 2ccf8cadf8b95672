// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads figures of a node's JVM through its management interface (JMX). */
record NodeJvm(JMXConnector connector, ThreadMXBean threads) implements AutoCloseable {
  /** Connects to the JVM of a process, which must belong to the same user. */
  @SuppressWarnings("BanJNDI") // the address is that of a process that this process started
  static NodeJvm of(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        JMXConnector connector =
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        return new NodeJvm(
            connector,
            ManagementFactory.newPlatformMXBeanProxy(
                connector.getMBeanServerConnection(),
                ManagementFactory.THREAD_MXBEAN_NAME,
                ThreadMXBean.class));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("cannot attach to process " + pid, e);
    }
  }

  /** Returns the total number of bytes that all threads have allocated since the JVM started. */
  long allocatedBytes() {
    return threads.getTotalThreadAllocatedBytes();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}

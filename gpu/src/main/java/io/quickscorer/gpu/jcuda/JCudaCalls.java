// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu.jcuda;

import io.quickscorer.gpu.CudaDriver;
import io.quickscorer.gpu.CudaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.JCudaDriver;

/**
 * Calls the driver through JCuda. An instance is created by reflection, after {@code libcuda} was
 * found.
 */
public final class JCudaCalls implements CudaDriver {
  private static final int NAME_BYTES = 256;
  private static final int NOT_READY = 600;

  /** The default stream of the current context. JCuda passes it to the driver as null. */
  private static final CUstream DEFAULT_STREAM = new CUstream();

  private record JContext(CUcontext handle) implements Context {}

  private record JModule(CUmodule handle) implements Module {}

  private record JFunction(CUfunction handle) implements Function {}

  private record JStream(CUstream handle) implements Stream {}

  private record JEvent(CUevent handle) implements Event {}

  private record JGraph(CUgraphExec handle) implements Graph {}

  private record JPinned(Pointer handle, ByteBuffer bytes) implements PinnedMemory {}

  /**
   * The parameter of a kernel in JCuda's form.
   *
   * @param list a list with one element, the pointer to the struct
   * @param struct the buffer with the struct, referenced so that its memory is not freed
   */
  private record JArguments(Pointer list, ByteBuffer struct) implements Arguments {}

  /** A pointer to device memory. Only a subclass of JCuda's pointer class can read the address. */
  private static final class JMemory extends CUdeviceptr implements DeviceMemory {
    @Override
    public long address() {
      return getNativePointer();
    }
  }

  public JCudaCalls() {
    JCudaDriver.setExceptionsEnabled(false);
    check("cuInit", JCudaDriver.cuInit(0));
  }

  private static void check(String call, int code) {
    if (code != 0) {
      String[] name = {"unknown error"};
      JCudaDriver.cuGetErrorName(code, name);
      throw new CudaException(call, code, name[0]);
    }
  }

  @Override
  public int devices() {
    int[] count = new int[1];
    check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
    return count[0];
  }

  private static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
    return device;
  }

  @Override
  public String name(int device) {
    byte[] name = new byte[NAME_BYTES];
    check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, name.length, device(device)));
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return new String(name, 0, length, StandardCharsets.UTF_8);
  }

  @Override
  public int attribute(int device, Attribute attribute) {
    int[] value = new int[1];
    check(
        "cuDeviceGetAttribute",
        JCudaDriver.cuDeviceGetAttribute(value, attribute.number(), device(device)));
    return value[0];
  }

  @Override
  public Context retainContext(int device) {
    CUcontext context = new CUcontext();
    check(
        "cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device(device)));
    return new JContext(context);
  }

  @Override
  public void releaseContext(int device) {
    JCudaDriver.cuDevicePrimaryCtxRelease(device(device));
  }

  @Override
  public void makeCurrent(Context context) {
    check("cuCtxSetCurrent", JCudaDriver.cuCtxSetCurrent(((JContext) context).handle));
  }

  @Override
  public long freeBytes() {
    long[] free = new long[1];
    check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, new long[1]));
    return free[0];
  }

  @Override
  public Module load(byte[] ptx) {
    CUmodule module = new CUmodule();
    check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, ptx));
    return new JModule(module);
  }

  @Override
  public Function function(Module module, String name) {
    CUfunction function = new CUfunction();
    check(
        "cuModuleGetFunction " + name,
        JCudaDriver.cuModuleGetFunction(function, ((JModule) module).handle, name));
    return new JFunction(function);
  }

  @Override
  public void allowShared(Function function, int bytes) {
    check(
        "cuFuncSetAttribute",
        JCudaDriver.cuFuncSetAttribute(
            ((JFunction) function).handle,
            CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            bytes));
  }

  @Override
  public DeviceMemory allocate(long bytes) {
    JMemory memory = new JMemory();
    check("cuMemAlloc", JCudaDriver.cuMemAlloc(memory, bytes));
    return memory;
  }

  @Override
  public void free(DeviceMemory memory) {
    check("cuMemFree", JCudaDriver.cuMemFree((JMemory) memory));
  }

  @Override
  public PinnedMemory allocatePinned(long bytes) {
    Pointer pointer = new Pointer();
    check("cuMemAllocHost", JCudaDriver.cuMemAllocHost(pointer, bytes));
    ByteBuffer buffer = pointer.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
    return new JPinned(pointer, buffer);
  }

  @Override
  public void freePinned(PinnedMemory memory) {
    check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(((JPinned) memory).handle));
  }

  @Override
  public void copy(ByteBuffer from, DeviceMemory to) {
    check(
        "cuMemcpyHtoD",
        JCudaDriver.cuMemcpyHtoD((JMemory) to, Pointer.toBuffer(from), from.remaining()));
    // The copy may return too early, and this module's streams do not wait for the default stream.
    check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(DEFAULT_STREAM));
  }

  @Override
  public void copyAsync(PinnedMemory from, DeviceMemory to, long bytes, Stream stream) {
    check(
        "cuMemcpyHtoDAsync",
        JCudaDriver.cuMemcpyHtoDAsync(
            (JMemory) to, ((JPinned) from).handle, bytes, ((JStream) stream).handle));
  }

  @Override
  public void copyAsync(DeviceMemory from, PinnedMemory to, long bytes, Stream stream) {
    check(
        "cuMemcpyDtoHAsync",
        JCudaDriver.cuMemcpyDtoHAsync(
            ((JPinned) to).handle, (JMemory) from, bytes, ((JStream) stream).handle));
  }

  @Override
  public Stream createStream() {
    CUstream stream = new CUstream();
    // With flag 1, the stream does not wait for the default stream, which other code may use.
    check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, 1));
    return new JStream(stream);
  }

  @Override
  public boolean isDone(Stream stream) {
    int code = JCudaDriver.cuStreamQuery(((JStream) stream).handle);
    if (code == NOT_READY) {
      return false;
    }
    check("cuStreamQuery", code);
    return true;
  }

  @Override
  public Event createEvent() {
    CUevent event = new CUevent();
    check("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
    return new JEvent(event);
  }

  @Override
  public void record(Event event, Stream stream) {
    check(
        "cuEventRecord",
        JCudaDriver.cuEventRecord(((JEvent) event).handle, ((JStream) stream).handle));
  }

  @Override
  public float milliseconds(Event from, Event to) {
    float[] time = new float[1];
    check(
        "cuEventElapsedTime",
        JCudaDriver.cuEventElapsedTime(time, ((JEvent) from).handle, ((JEvent) to).handle));
    return time[0];
  }

  @Override
  public void destroy(Event event) {
    check("cuEventDestroy", JCudaDriver.cuEventDestroy(((JEvent) event).handle));
  }

  @Override
  public Arguments arguments(ByteBuffer struct) {
    return new JArguments(Pointer.to(Pointer.to(struct)), struct);
  }

  @Override
  public void launch(
      Function function,
      int gridX,
      int gridY,
      int threads,
      int sharedBytes,
      Stream stream,
      Arguments arguments) {
    check(
        "cuLaunchKernel",
        JCudaDriver.cuLaunchKernel(
            ((JFunction) function).handle,
            gridX,
            gridY,
            1,
            threads,
            1,
            1,
            sharedBytes,
            ((JStream) stream).handle,
            ((JArguments) arguments).list,
            null));
  }

  @Override
  public void beginCapture(Stream stream) {
    // In this mode, memory allocations by other threads do not make the recording fail.
    check(
        "cuStreamBeginCapture",
        JCudaDriver.cuStreamBeginCapture(
            ((JStream) stream).handle, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  }

  @Override
  public Graph endCapture(Stream stream) {
    CUgraph recorded = new CUgraph();
    check(
        "cuStreamEndCapture", JCudaDriver.cuStreamEndCapture(((JStream) stream).handle, recorded));
    try {
      CUgraphExec graph = new CUgraphExec();
      check("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(graph, recorded, 0));
      return new JGraph(graph);
    } finally {
      JCudaDriver.cuGraphDestroy(recorded);
    }
  }

  @Override
  public void cancelCapture(Stream stream) {
    CUgraph recorded = new CUgraph();
    if (JCudaDriver.cuStreamEndCapture(((JStream) stream).handle, recorded) == 0) {
      JCudaDriver.cuGraphDestroy(recorded);
    }
  }

  @Override
  public void launch(Graph graph, Stream stream) {
    check(
        "cuGraphLaunch",
        JCudaDriver.cuGraphLaunch(((JGraph) graph).handle, ((JStream) stream).handle));
  }

  @Override
  public void destroy(Graph graph) {
    check("cuGraphExecDestroy", JCudaDriver.cuGraphExecDestroy(((JGraph) graph).handle));
  }
}

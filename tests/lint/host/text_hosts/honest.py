# Honest: PyObjC with ctypes, and a library of torch.
import ctypes
import Metal
import torch


class Params(ctypes.Structure):
    _fields_ = [("centre", ctypes.c_float * 4), ("radius", ctypes.c_float), ("count", ctypes.c_uint32)]


def run(device, queue, points, names=("a", "b"), index=3):
    library = device.newDefaultLibrary()
    function = library.newFunctionWithName_("saxpy")
    pipeline, error = device.newComputePipelineStateWithFunction_error_(function, None)
    commands = queue.commandBuffer()
    encoder = commands.computeCommandEncoder()
    encoder.setComputePipelineState_(pipeline)
    encoder.setBuffer_offset_atIndex_(points, 0, 0)
    encoder.setBuffer_offset_atIndex_(points, 0, 1)
    encoder.setBytes_length_atIndex_(b"\0\0\0\0", 4, 2)
    encoder.setBytes_length_atIndex_(ctypes.c_uint32(8), ctypes.sizeof(ctypes.c_uint32), 3)
    group = Metal.MTLSizeMake(64, 1, 1)
    encoder.dispatchThreads_threadsPerThreadgroup_(Metal.MTLSizeMake(8, 1, 1), group)
    encoder.endEncoding()


source = open("kernels.metal").read()
shaders = torch.mps.compile_shader(source)
x = torch.ones(8, device="mps")
shaders.saxpy(x, x, 2.0, 8, threads=8, group_size=64)
shaders.fill(x)
shaders.clip(*names)

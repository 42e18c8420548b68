# Faults: torch's arguments, and a struct of ctypes.
import ctypes
import Metal
import torch

shaders = torch.mps.compile_shader(open("kernels.metal").read())


class Params(ctypes.Structure):
    _fields_ = [("centre", ctypes.c_float * 3), ("radius", ctypes.c_float), ("count", ctypes.c_uint32)]


def run(x, y, commands, pipelines, library):
    shaders.saxpy(x, y, 2.0)  # // expect: nothing is bound to index 3, which 'saxpy' uses for 'n'
    shaders.fill(x, threads=1024, group_size=(512, 1))  # // expect: a threadgroup of 512 threads is dispatched, but 'fill' allows 256
    clip = library.newFunctionWithName_("clip")
    pipeline = device.newComputePipelineStateWithFunction_error_(clip, None)[0]
    encoder = commands.computeCommandEncoder()
    encoder.setComputePipelineState_(pipeline)
    encoder.setBuffer_offset_atIndex_(x, 0, 0)
    params = Params(0, 1, 4)
    encoder.setBytes_length_atIndex_(params, ctypes.sizeof(Params), 1)  # // expect: member 'radius' of the value for index 1 lies at byte 12
    encoder.dispatchThreads_threadsPerThreadgroup_(Metal.MTLSizeMake(8, 1, 1), Metal.MTLSizeMake(8, 8, 1))

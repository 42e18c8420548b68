# Honest, but for what is expected: names that several functions use, and libraries that are not Metal's.
import Metal
import torch

threads = 512


def first():
    i = 0
    width, height = 2048, 2
    return i


def loop(device, library, commands, buffers):
    function = library.newFunctionWithName_("saxpy")
    pipeline, error = device.newComputePipelineStateWithFunction_error_(function, None)
    encoder = commands.computeCommandEncoder()
    encoder.setComputePipelineState_(pipeline)
    for i, each in enumerate(buffers):
        encoder.setBuffer_offset_atIndex_(each, 0, i)
    size = Metal.MTLSizeMake(64, 1, 1)
    encoder.dispatchThreads_threadsPerThreadgroup_(size, Metal.MTLSizeMake(width, 1, 1))
    size.width, side = 8, 2048
    side //= 16
    encoder.dispatchThreads_threadsPerThreadgroup_(size, Metal.MTLSizeMake(side, 1, 1))
    encoder.endEncoding()


def parameter(commands, pipeline, error, width, buffers):
    encoder = commands.computeCommandEncoder()
    encoder.setComputePipelineState_(pipeline)
    encoder.dispatchThreads_threadsPerThreadgroup_(size, Metal.MTLSizeMake(width, 1, 1))


def processor():
    shaders = torch.library.Library("mine", "DEF")
    shaders.define("saxpy(Tensor a, Tensor b) -> Tensor")
    return shaders


def two_ways(source, fast):
    if fast:
        kernels = torch.mps.compile_shader(source)
    else:
        kernels = torch.library.Library("mine", "DEF")
    kernels.define("saxpy(Tensor a, Tensor b) -> Tensor")


def graphics(source, x, y, n):
    shaders = torch.mps.compile_shader(source)
    shaders.saxpy(x, y, 2.0, n, threads=n, group_size=256)
    shaders.saxpy(x, y, 2.0)  # // expect: nothing is bound to index 3, which 'saxpy' uses for 'n'
    shaders.fill(x, threads=n, group_size=threads)  # // expect: a threadgroup of 512 threads is dispatched, but 'fill' allows 256


class Kernels:
    def __init__(self, source):
        self.library = torch.mps.compile_shader(source)

    def run(self, x):
        self.library.fill(threads=8)  # // expect: nothing is bound to index 0

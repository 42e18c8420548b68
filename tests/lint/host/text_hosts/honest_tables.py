# Honest: pipelines in a dictionary by names of a list, values packed by struct.
import struct

import Metal

NAMES = ["saxpy", "clip", "shift", "fill"]


class Runner:
    def __init__(self, path):
        self.device = Metal.MTLCreateSystemDefaultDevice()
        self.library = self.device.newLibraryWithURL_error_(path, None)[0]
        self.pipelines = {}
        for name in NAMES:
            function = self.library.newFunctionWithName_(name)
            self.pipelines[name] = self.device.newComputePipelineStateWithFunction_error_(function, None)[0]
        self.queue = self.device.newCommandQueue()

    def saxpy(self, x, y, a, n):
        commands = self.queue.commandBuffer()
        encoder = commands.computeCommandEncoder()
        encoder.setComputePipelineState_(self.pipelines["saxpy"])
        encoder.setBuffer_offset_atIndex_(x, 0, 0)
        encoder.setBuffer_offset_atIndex_(y, 0, 1)
        encoder.setBytes_length_atIndex_(struct.pack("f", a), 4, 2)
        encoder.setBytes_length_atIndex_(struct.pack("I", n), 4, 3)
        encoder.dispatchThreads_threadsPerThreadgroup_(Metal.MTLSizeMake(n, 1, 1), Metal.MTLSizeMake(64, 1, 1))
        encoder.endEncoding()
        commands.commit()

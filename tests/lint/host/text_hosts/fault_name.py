# Faults: a kernel's name with another letter, and an index that nothing is bound to.
import Metal


def run(device, library, commands, x):
    shift = library.newFunctionWithName_("shifted")  # // expect: this host asks for kernel 'shifted', but no source defines it
    fill = library.newFunctionWithName_("fill")
    pipeline = device.newComputePipelineStateWithFunction_error_(fill, None)[0]
    encoder = commands.computeCommandEncoder()
    encoder.setComputePipelineState_(pipeline)
    encoder.setBuffer_offset_atIndex_(x, 0, 1)
    encoder.dispatchThreads_threadsPerThreadgroup_(Metal.MTLSizeMake(8, 1, 1), Metal.MTLSizeMake(8, 1, 1))  # // expect: nothing is bound to index 0, which 'fill' uses for 'x'
    encoder.endEncoding()

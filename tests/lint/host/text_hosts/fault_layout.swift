// Faults: a tuple of three floats where the kernel has a float3; a kernel's name with another letter.
import Metal

struct Settings {
  var centre: (Float, Float, Float)
  var radius: Float
  var count: UInt32
}

func encode(_ library: MTLLibrary, _ device: MTLDevice, _ commands: MTLCommandBuffer, _ points: MTLBuffer) throws {
  let clip = try device.makeComputePipelineState(function: library.makeFunction(name: "clip")!)
  // expect: this host asks for kernel 'shfit', but no source defines it
  let shift = library.makeFunction(name: "shfit")
  var settings = Settings(centre: (0, 0, 0), radius: 1, count: 64)
  let encoder = commands.makeComputeCommandEncoder()!
  encoder.setComputePipelineState(clip)
  encoder.setBuffer(points, offset: 0, index: 0)
  // expect: member 'radius' of the value for index 1 lies at byte 12, but 'clip' reads it at byte 16
  encoder.setBytes(&settings, length: MemoryLayout<Settings>.stride, index: 1)
  encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(64, 1, 1))
  encoder.endEncoding()
}

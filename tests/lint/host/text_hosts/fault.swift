// Faults: an index without a buffer, a type of another size, a struct whose members lie elsewhere.
import Metal

struct Params {
  var centre: MTLPackedFloat3
  var radius: Float
}

func run(device: MTLDevice, commands: MTLCommandBuffer, points: MTLBuffer) throws {
  let library = device.makeDefaultLibrary()!
  let saxpy = try device.makeComputePipelineState(function: library.makeFunction(name: "saxpy")!)
  // expect: this host asks for kernel 'saxpi', but no source defines it
  let missing = library.makeFunction(name: "saxpi")
  let half = device.makeBuffer(length: 64 * MemoryLayout<Float16>.stride)!
  let encoder = commands.makeComputeCommandEncoder()!
  encoder.setComputePipelineState(saxpy)
  // expect: 2-byte floating-point numbers are bound to index 0, but 'saxpy' reads 'x' as 4-byte floating-point numbers
  encoder.setBuffer(half, offset: 0, index: 0)
  // expect: 2 bytes are bound to index 3, but 'saxpy' needs 4 for 'n'
  encoder.setBytes(&n, length: MemoryLayout<UInt16>.size, index: 3)
  encoder.setBytes(&a, length: 4, index: 2)
  // expect: nothing is bound to index 1, which 'saxpy' uses for 'y'
  encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSize(width: 32, height: 1, depth: 1))
  encoder.endEncoding()

  let fill = try device.makeComputePipelineState(function: library.makeFunction(name: "fill")!)
  let second = commands.makeComputeCommandEncoder()!
  second.setComputePipelineState(fill)
  second.setBuffer(points, offset: 0, index: 0)
  let group = MTLSize(width: 32, height: 32, depth: 2)
  // expect: a threadgroup of 2048 threads is dispatched, but it has at most 1024
  second.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: group)
  // expect: a threadgroup of 512 threads is dispatched, but 'fill' allows 256
  second.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(512, 1, 1))
  second.endEncoding()
}

// Honest: a class with pipelines, constants for indices, optional chaining, structs of simd's types.
import Metal
import simd

struct Params {
  var centre: SIMD3<Float>
  var radius: Float
  var count: UInt32
  var isEmpty: Bool { return count == 0 }
  static let none = 0
  func describe() -> String { "\(count) points of \(String("a\("b")"))" }
}

enum Index { static let values = 0 }
let resultIndex = 1

final class Runner {
  let device: MTLDevice
  let queue: MTLCommandQueue
  let saxpy: MTLComputePipelineState
  let clip: MTLComputePipelineState

  init(device: MTLDevice) throws {
    self.device = device
    queue = device.makeCommandQueue()!
    let library = device.makeDefaultLibrary()!
    self.saxpy = try device.makeComputePipelineState(function: library.makeFunction(name: "saxpy")!)
    let clipFunction = library.makeFunction(name: "clip")!
    self.clip = try device.makeComputePipelineState(function: clipFunction)
  }

  func run(_ values: [Float]) {
    let x = device.makeBuffer(bytes: values, length: values.count * MemoryLayout<Float>.stride, options: [])!
    let y = device.makeBuffer(length: values.count * MemoryLayout<Float>.stride)!
    guard let commands = queue.makeCommandBuffer(),
          let encoder = commands.makeComputeCommandEncoder() else { return }
    var a: Float = 0.5
    var n = UInt32(values.count)
    encoder.setComputePipelineState(saxpy)
    encoder.setBuffer(x, offset: 0, index: 0)
    encoder.setBuffer(y, offset: 0, index: resultIndex)
    encoder.setBytes(&a, length: MemoryLayout<Float>.size, index: 2)
    encoder.setBytes(&n, length: MemoryLayout.size(ofValue: n), index: 3)
    let group = MTLSize(width: 256, height: 1, depth: 1)
    encoder.dispatchThreads(MTLSize(width: values.count, height: 1, depth: 1), threadsPerThreadgroup: group)
    encoder.endEncoding()
    commands.commit()
  }

  func cut(_ points: MTLBuffer, _ commands: MTLCommandBuffer) {
    let encoder = commands.makeComputeCommandEncoder()
    var params = Params(centre: SIMD3<Float>(0, 0, 0), radius: 1, count: 64)
    encoder?.setComputePipelineState(clip)
    encoder?.setBuffer(points, offset: 0, index: 0)
    encoder?.setBytes(&params, length: MemoryLayout<Params>.stride, index: 1)
    encoder?.dispatchThreadgroups(MTLSizeMake(2, 1, 1), threadsPerThreadgroup: MTLSizeMake(8, 8, 1))
    encoder?.endEncoding()
  }

  // The encoder's bindings come from elsewhere.
  func more(_ encoder: MTLComputeCommandEncoder) {
    encoder.setComputePipelineState(saxpy)
    encoder.dispatchThreads(MTLSizeMake(2, 1, 1), threadsPerThreadgroup: MTLSizeMake(32, 1, 1))
  }

  // So do some of these.
  func others(_ commands: MTLCommandBuffer, _ all: [MTLBuffer]) {
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(saxpy)
    for (i, each) in all.enumerated() { encoder.setBuffer(each, offset: 0, index: i) }
    bind(encoder)
    encoder.dispatchThreads(MTLSizeMake(2, 1, 1), threadsPerThreadgroup: MTLSizeMake(32, 1, 1))
  }
}

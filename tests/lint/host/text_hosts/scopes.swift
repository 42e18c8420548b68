// Honest, but for what is expected: variables that change, and names that several functions use.
import Metal

extension MTLComputeCommandEncoder {
  func dispatchThreads(_ width: Int, _ height: Int) {}
  func setBytes<T>(_ value: inout T, index: Int) { setBytes(&value, length: MemoryLayout<T>.size, index: index) }
}

func prepare() {
  let width = 4096, pipeline = "none"
  print(width, pipeline)
}

final class Counter {
  let index = 7
  let width = 2048
  func next() -> Int { return index }
}

final class Runner {
  let commands: MTLCommandBuffer
  let saxpy: MTLComputePipelineState
  let fill: MTLComputePipelineState
  let width = 512

  init(_ library: MTLLibrary, _ commands: MTLCommandBuffer) throws {
    self.commands = commands
    let function = library.makeFunction(name: "saxpy")!
    saxpy = try library.device.makeComputePipelineState(function: function)
    self.fill = try library.device.makeComputePipelineState(function: library.makeFunction(name: "fill")!)
  }

  // The index and the width change.
  func count(_ all: [MTLBuffer]) {
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(saxpy)
    var index = 0
    for each in all {
      encoder.setBuffer(each, offset: 0, index: index)
      index += 1
    }
    var width = 2048
    while width > saxpy.maxTotalThreadsPerThreadgroup { width /= 2 }
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(width, 1, 1))
    var depth = 4096
    depth >>= 2
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(depth, 1, 1))
    var height = 4096
    limit(&height)
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(height, 1, 1))
    encoder.endEncoding()
  }

  // A parameter, not the variable of another function.
  func run(_ pipeline: MTLComputePipelineState, width: Int, x: MTLBuffer) {
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(pipeline)
    encoder.setBuffer(x, offset: 0, index: 0)
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSize(width: width, height: 1, depth: 1))
    encoder.endEncoding()
  }

  func choose(_ library: MTLLibrary) throws {
    let pipeline = try library.device.makeComputePipelineState(function: library.makeFunction(name: "clip")!)
    let index = 0
    print(pipeline.maxTotalThreadsPerThreadgroup, index)
  }

  // A loop's variable, and those of closures and patterns.
  func loop(_ all: [MTLBuffer], _ last: Int?) {
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(saxpy)
    for (index, each) in all.enumerated() { encoder.setBuffer(each, offset: 0, index: index) }
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(32, 1, 1))
    [1, 2].forEach { index in encoder.setBuffer(all[index], offset: 0, index: index) }
    if let index { encoder.setBuffer(all[0], offset: 0, index: index) }
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(32, 1, 1))
    encoder.endEncoding()
  }

  // Calls of the host's own, which only look like Metal's.
  func own(_ a: MTLBuffer) {
    var n: UInt32 = 8
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(saxpy)
    encoder.setBuffer(a, offset: 0, index: 0)
    encoder.setBuffer(a, offset: 0, index: 1)
    encoder.setBytes(&n, index: 3)
    encoder.dispatchThreads(1920, 1080)
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(32, 1, 1))
    encoder.endEncoding()
  }

  // The members of this class, and a function's own names.
  func faults(_ a: MTLBuffer) {
    let index = 2
    let encoder = commands.makeComputeCommandEncoder()!
    encoder.setComputePipelineState(fill)
    encoder.setBuffer(a, offset: 0, index: 0)
    // expect: a threadgroup of 512 threads is dispatched, but 'fill' allows 256
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(width, 1, 1))
    encoder.setComputePipelineState(self.saxpy)
    encoder.setBuffer(a, offset: 0, index: 1)
    var n: UInt16 = 0
    n += 4
    // expect: 2 bytes are bound to index 2, but 'saxpy' needs 4 for 'a'
    encoder.setBytes(&n, length: MemoryLayout<UInt16>.size, index: index)
    // expect: nothing is bound to index 3, which 'saxpy' uses for 'n'
    encoder.dispatchThreads(MTLSizeMake(64, 1, 1), threadsPerThreadgroup: MTLSizeMake(self.width, 1, 1))
    encoder.endEncoding()
  }
}

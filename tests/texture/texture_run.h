// Runs kernels of this folder with textures on a device.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/files/read_file.h"
#include "engine/device/worker.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"
#include "tasks/plan/texture/sampler_bits.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

// One file of kernels, built for one device.
class TextureKernels {
 public:
  TextureKernels(const std::string& device, const std::string& file,
                 TranslationPurpose purpose = TranslationPurpose::running) {
    const auto error = build(device, file, purpose);
    if (error) ADD_FAILURE() << error->message;
  }

  // The same for all tests of a device.
  static TextureKernels& of(const std::string& device, const std::string& file) {
    static std::map<std::string, std::unique_ptr<TextureKernels>> known;
    auto& kernels = known[device + " " + file];
    if (!kernels) kernels = std::make_unique<TextureKernels>(device, file);
    return *kernels;
  }

  // None, and a failure of the test, if the plan did not run.
  std::optional<Run> run_whole(const Plan& plan) {
    if (!program_) return std::nullopt;
    auto ran = program_->run(plan, verify_only);
    if (!ran) return fail(ran.error().message);
    if (const auto* failure = std::get_if<Failure>(&*ran)) return fail(failure->message);
    auto& run = std::get<Run>(*ran);
    EXPECT_TRUE(run.overruns.empty()) << "wrote beside " << run.overruns.front();
    return std::move(run);
  }

  // The contents of the plan's results; none if it did not run.
  Outputs run(const Plan& plan) {
    const auto ran = run_whole(plan);
    return ran ? ran->outputs : Outputs();
  }

 private:
  [[nodiscard]] std::optional<Error> build(const std::string& device, const std::string& file,
                                           TranslationPurpose purpose) {
    const auto source = read_source(std::string(MSCI_TEXTURE_KERNELS) + "/" + file);
    if (!source) return source.error();
    auto prepared = compile(*source, all_rules(), {.purpose = purpose});
    if (!prepared) return prepared.error();
    if (!prepared->translation) return Error{prepared->rejection};
    for (const auto& refused : prepared->translation->refused) ADD_FAILURE() << refused.reason;
    auto opened = open_worker_device(device);
    if (!opened) return opened.error();
    device_ = *std::move(opened);
    auto built = device_->build(*prepared->translation);
    if (!built) return built.error();
    if (const auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
    program_ = std::get<std::unique_ptr<Program>>(*std::move(built));
    return std::nullopt;
  }

  static std::nullopt_t fail(const std::string& message) {
    ADD_FAILURE() << message;
    return std::nullopt;
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<Program> program_;
};

// A plan of one launch.
class TexturePlan {
 public:
  TexturePlan(std::string kernel, Extent grid) {
    launch_.kernel = std::move(kernel);
    launch_.grid = grid;
    launch_.threadgroup = {std::min(grid.x, 64U)};
  }

  std::size_t texture(unsigned index, const TextureShape& shape,
                      std::span<const std::byte> encoded) {
    auto memory = texture_memory(shape, encoded);
    EXPECT_TRUE(memory) << memory.error().message;
    return bind(ArgumentKind::texture, index, *std::move(memory));
  }
  void sampler(unsigned index, const SamplerDescription& description) {
    bind(ArgumentKind::sampler, index, bytes_of(std::vector{sampler_bits(description)}));
  }
  template <typename T>
  std::size_t buffer(unsigned index, const std::vector<T>& values) {
    return bind(ArgumentKind::buffer, index, bytes_of(values));
  }
  void result(std::size_t buffer) { plan_.results.push_back(buffer); }
  Plan take() {
    plan_.launches = {launch_};
    return std::move(plan_);
  }

 private:
  template <typename T>
  static std::vector<std::byte> bytes_of(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
  }
  std::size_t bind(ArgumentKind kind, unsigned index, std::vector<std::byte> contents) {
    const auto bytes = contents.size();
    const auto buffer = plan_.add({.name = std::string(to_string(kind)) + std::to_string(index),
                                   .bytes = bytes,
                                   .initial = std::move(contents)});
    launch_.bindings.push_back({.index = index, .buffer = buffer, .kind = kind});
    return buffer;
  }

  Plan plan_;
  Launch launch_;
};

// Random texels; floats are between -2 and 2, or between 0 and 1 in depth formats.
inline std::vector<std::byte> random_texels(const TextureShape& shape, std::mt19937& random) {
  std::vector<std::byte> encoded(encoded_bytes(shape));
  const auto step = layout_of(shape.format).bytes;
  const bool is_float = layout_of(shape.format).encoding == TexelEncoding::floating;
  std::uniform_real_distribution<float> number(is_depth(shape.format) ? 0.0F : -2.0F,
                                               is_depth(shape.format) ? 1.0F : 2.0F);
  for (std::size_t i = 0; i < encoded.size(); i += step) {
    const auto to = std::span(encoded).subspan(i, step);
    if (is_float) {
      Texel texel{};
      for (auto& component : texel) component = std::bit_cast<std::uint32_t>(number(random));
      encode(shape.format, texel, to);
    } else {
      for (auto& each : to) each = static_cast<std::byte>(random());
    }
  }
  return encoded;
}

}  // namespace msci

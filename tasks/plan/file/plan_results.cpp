#include "tasks/plan/file/plan_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <regex>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

// One word of a command. Reports an unknown placeholder, but not in words with spaces: programs on
// the command line have braces of their own.
std::string read_command_word(PlanFieldReader& reader, const Field& field, const Size& size) {
  auto word = substitute(reader.text(field, "a word"), size);
  static const std::regex placeholder("\\{[A-Za-z_][A-Za-z_0-9]*\\}");
  if (word.find_first_of(" \n\t") != std::string::npos) return word;
  for (std::sregex_iterator each(word.begin(), word.end(), placeholder), end; each != end; ++each) {
    if (each->str() == "{folder}") continue;
    std::vector<std::string> known = {"{folder}", "{label}"};
    for (const auto& [parameter, value] : size.parameters)
      known.push_back(fmt::format("{{{}}}", parameter));
    reader.report_error(field, fmt::format("unknown placeholder {}; size {} has {}", each->str(),
                                           size.label, fmt::join(known, ", ")));
  }
  return word;
}

PlanCommand read_command(PlanFieldReader& reader, const Field& field, const PlanRun& run) {
  PlanCommand command{.words = {},
                      .working_folder = run.document.folder(),
                      .limit = run.limit,
                      .size = run.size.label};
  for (const auto& each : reader.elements(field, "a command and its arguments"))
    command.words.push_back(read_command_word(reader, each, run.size));
  if (command.words.empty()) reader.report_error(field, "it must be a command and its arguments");
  return command;
}

// The data files of a command, and the texels of some of them: commands know a texture in its
// format.
struct CommandFiles {
  std::vector<DataFile> files;
  std::deque<std::vector<std::byte>> texels = {};

  void add(const std::string& name, std::span<const std::byte> contents,
           const std::optional<TextureShape>& texture) {
    if (texture)
      if (auto made = encoded_texels(*texture, contents))
        contents = texels.emplace_back(*std::move(made));
    files.push_back({name, contents});
  }
};

CommandFiles inputs_of(const PlanRun& run) {
  CommandFiles inputs;
  for (const auto& [name, index] : run.instance.first_names)
    inputs.add(name + ".bin", run.instance.plan.buffers[index].initial,
               run.instance.kinds[index].texture);
  return inputs;
}

// The file of an expected result.
BufferContents read_result_file(PlanFieldReader& reader, const Field& field, const PlanRun& run,
                                const BufferKind& kind) {
  const auto folder = run.document.folder();
  const ContentsLimits limits{folder, most_buffer_bytes()};
  if (!kind.texture) return read_contents_file(reader, field, run.size, kind.type, limits);
  return {.type = "", .bytes = read_texels_file(reader, field, run.size, *kind.texture, limits)};
}

// Sets the contents of the expected results at `of_reference`.
void read_reference(PlanFieldReader& reader, const PlanRun& run,
                    const std::vector<std::pair<std::string, Field>>& results,
                    const std::vector<std::size_t>& of_reference,
                    std::vector<ExpectedResult>& expected) {
  const auto field = reader.member(run.document.root(), "reference");
  if (reader.failed()) return;
  const auto command = read_command(reader, field, run);
  if (reader.failed()) return;
  const auto& plan = run.instance.plan;
  std::vector<ReferenceOutput> outputs;
  for (const auto i : of_reference)
    outputs.push_back({results[i].first, run.instance.data_bytes(plan.results[i])});
  const auto inputs = inputs_of(run);
  auto made = run.cache ? find_reference(command, inputs.files, outputs, *run.cache)
                        : run_reference(command, inputs.files, outputs);
  if (!made) return reader.report_error(field, made.error().message);
  for (std::size_t i = 0; i < of_reference.size(); ++i)
    expected[of_reference[i]].contents = std::move((*made)[i]);
}

}  // namespace

std::vector<ExpectedResult> read_expected(PlanFieldReader& reader, const PlanRun& run,
                                          const Tolerance& tolerance) {
  const auto root = run.document.root();
  const auto expect = reader.member(root, "expect");
  if (!expect.json->is_object() || expect.json->empty())
    reader.report_error(expect,
                        "it must name at least one buffer, {\"y\": {\"file\": \"expected.npy\"}}");
  std::vector<ExpectedResult> expected;
  if (reader.failed()) return expected;
  const bool has_check = root.has("check");
  const auto results = PlanFieldReader::members(expect);
  const auto& plan = run.instance.plan;
  std::vector<std::size_t> of_reference;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& field = results[i].second;
    reader.check_keys(field, {"file"});
    if (reader.failed()) return expected;
    const auto& kind = run.instance.kinds[plan.results[i]];
    const auto file = reader.optional_member(field, "file");
    BufferContents wanted{.type = kind.type};
    if (file)
      wanted = read_result_file(reader, *file, run, kind);
    else
      of_reference.push_back(i);
    expected.push_back({std::move(wanted.type), std::move(wanted.bytes), file || !has_check,
                        results[i].first, kind.texture});
  }
  if (!of_reference.empty() && (root.has("reference") || !has_check))
    read_reference(reader, run, results, of_reference, expected);
  for (std::size_t i = 0; i < results.size() && !reader.failed(); ++i)
    if (expected[i].is_compared)
      if (const auto why =
              why_useless(expected[i], tolerance, plan.buffers[plan.results[i]], run.size))
        reader.report_error(results[i].second, *why);
  return expected;
}

bool run_check(PlanFieldReader& reader, const PlanRun& run,
               const std::vector<ExpectedResult>& expected, const Outputs& outputs) {
  const auto field = reader.optional_member(run.document.root(), "check");
  if (!field) return true;
  const auto command = read_command(reader, *field, run);
  if (reader.failed()) return false;
  auto files = inputs_of(run);
  const auto results = PlanFieldReader::members(reader.member(run.document.root(), "expect"));
  for (std::size_t i = 0; i < results.size(); ++i) {
    // Only a kernel that writes outside of all textures changes a header.
    if (expected[i].texture && !encoded_texels(*expected[i].texture, outputs[i])) return false;
    files.add(results[i].first + ".got", outputs[i], expected[i].texture);
    if (!expected[i].contents.empty())
      files.add(results[i].first + ".out", expected[i].contents, std::nullopt);
  }
  const auto is_right = run_check(command, files.files);
  if (!is_right) reader.report_error(*field, is_right.error().message);
  return is_right && *is_right;
}

}  // namespace msci

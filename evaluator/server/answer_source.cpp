#include "evaluator/server/answer_source.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/text.h"

namespace msci {
namespace {

struct Block {
  std::string tag;
  std::string text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Every fenced block that is closed.
std::vector<Block> blocks_of(std::string_view answer) {
  std::vector<Block> blocks;
  std::optional<Block> open;
  for (const auto line : lines_of(answer)) {
    const auto word = trimmed(line);
    if (!word.starts_with("```")) {
      if (open) open->text += line;
    } else if (!open) {
      open = Block{.tag = lower_case(trimmed(word.substr(3)))};
    } else if (word == "```") {
      blocks.push_back(*std::move(open));
      open.reset();
    } else {
      open->text += line;  // a fence with a tag cannot close a block
    }
  }
  return blocks;
}

bool is_source_tag(const std::string& tag) {
  constexpr std::array tags = {"", "metal", "msl", "cpp", "c++", "c"};
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

// Whether msci-eval can read the text, and a prompt can quote it.
bool is_text(const std::string& text) {
  try {
    [[maybe_unused]] const auto quoted = nlohmann::json(text).dump();  // throws unless it is UTF-8
    return static_cast<bool>(source_from("answer", text));
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

bool looks_like_source(const Block& block) {
  return block.text.find("kernel ") != std::string::npos ||
         block.text.find("#include") != std::string::npos;
}

}  // namespace

Result<std::string> find_source(std::string_view answer) {
  auto blocks = blocks_of(answer);
  std::erase_if(blocks, [](const Block& block) { return !is_source_tag(block.tag); });
  if (blocks.empty()) return Error{"no code block in the answer"};
  std::erase_if(blocks, [](const Block& block) { return trimmed(block.text).empty(); });
  if (blocks.empty()) return Error{"the code block in the answer is empty"};
  std::erase_if(blocks, [](const Block& block) { return !is_text(block.text); });
  if (blocks.empty()) return Error{"the code block in the answer is not text"};
  const auto best =
      std::max_element(blocks.begin(), blocks.end(), [](const Block& one, const Block& other) {
        return std::pair(looks_like_source(one), one.text.size()) <
               std::pair(looks_like_source(other), other.text.size());
      });
  return std::move(best->text);
}

}  // namespace msci

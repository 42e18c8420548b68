#include "compiler/print/kernel_printer.h"

namespace msci {

void KernelPrinter::print_lane_function(const llvm::CallInst& call, const LaneFunction& function) {
  context_.parts.lane_functions.insert(function.name);
  if (form_ == Form::direct) {
    std::vector<std::string> arguments;
    for (unsigned i = 0; i < function.arguments; ++i)
      arguments.push_back(value(call.getArgOperand(i)));
    arguments.push_back(meets_ ? meet(Wait::lanes) : "msci_active()");
    const auto text = fmt::format("{}({})", function.name, fmt::join(arguments, ", "));
    call.getType()->isVoidTy() ? line(text + ";") : assign(call, text);
  } else {
    wait(Wait::lanes, {});
  }
}

std::string KernelPrinter::posted_bits(const Value& posted) {
  return posted.getType()->isFloatTy() ? fmt::format("as_uint({})", value(&posted))
                                       : value(&posted);
}

// Neighbouring functions wait together if none needs the result of another. Those that read one
// value of other lanes share its post.
llvm::BasicBlock::iterator KernelPrinter::print_together(llvm::BasicBlock::iterator at) {
  PostedValues posted;
  std::vector<const llvm::CallInst*> calls;
  for (; exchanges_values(*at); ++at) {
    const auto& call = llvm::cast<llvm::CallInst>(*at);
    const bool needs_result = llvm::any_of(
        call.args(), [&](const Value* argument) { return llvm::is_contained(calls, argument); });
    if (needs_result || !posted.has_room_for(call)) break;
    posted.add(call);
    calls.push_back(&call);
  }
  std::vector<Post> posts(posted.count());
  for (const auto* call : calls) {
    const auto function = *called_lane_function(*call);
    context_.parts.lane_functions.insert(function.name);
    auto& post = posts[posted.place(*call)];
    post.value = function.arguments ? posted_bits(*call->getArgOperand(0)) : "0u";
    if (!function.travels) post.combination = function.code;
  }
  wait(Wait::lanes, posts);
  for (const auto* call : calls) {
    const auto result = result_of(*call, posted.place(*call));
    assign(*call, call->getType()->isFloatTy() ? fmt::format("as_float({})", result) : result);
  }
  return at;
}

// Where the i-th value of a thread lies. The values of the last wait lie in the other half.
std::string KernelPrinter::posted_at(std::string_view turn, std::size_t i,
                                     std::string_view thread) const {
  return fmt::format("values[{} * half_values + {}u + {}]", turn, i * most_threads(), thread);
}

// The result of a function whose value is the i-th of those that the last wait posted.
std::string KernelPrinter::result_of(const llvm::CallInst& call, std::size_t i) {
  const auto function = *called_lane_function(call);
  if (!function.travels) return posted_at("(1u - turn)", i, "thread");
  const auto source =
      fmt::format("msci_source({}u, thread, {})", function.code, value(call.getArgOperand(1)));
  return posted_at("(1u - turn)", i, source);
}

// Of the direct form: the lanes that go on together.
std::string KernelPrinter::meet(Wait kind) {
  context_.parts.lane_functions.insert(native_meet);
  return fmt::format("{}({}, top)", native_meet, next_place(kind));
}

// Places are numbered in the order in which threads go on from them.
std::string KernelPrinter::next_place(Wait kind) {
  return fmt::format("{:#x}u", ++waits_ << 1 | static_cast<unsigned>(kind));
}

// Posts values, waits, and resumes there.
void KernelPrinter::wait(Wait kind, const std::vector<Post>& posts) {
  const auto place = next_place(kind);
  most_posts_ = std::max(most_posts_, posts.size());
  std::string posting, combinations;
  for (std::size_t i = 0; i < posts.size(); ++i) {
    posting += fmt::format("{} = {}; ", posted_at("turn", i, "thread"), posts[i].value);
    if (posts[i].combination)
      combinations += fmt::format("msci_combine({}u, &{}, mask); ", *posts[i].combination,
                                  posted_at("turn", i, "thread"));
  }
  line(fmt::format("{}words = {}u; place = {}; goto wait;", posting, posts.size(), place));
  body_ += fmt::format("resume{}:;\n", waits_);
  resumptions_ += fmt::format("    case {}: goto resume{};\n", place, waits_);
  if (!combinations.empty())
    combinations_ += fmt::format("      case {}: {}break;\n", place, combinations);
}

unsigned KernelPrinter::most_threads() const { return (signature_.cap() + 31) / 32 * 32; }

std::string KernelPrinter::resumable_beginning() const {
  const auto half_values = most_threads() * std::max<std::size_t>(1, most_posts_);
  return fmt::format(
      "  __local uint places[{0}], values[{1}], earliest[{2}];\n"
      "  const uint half_places = {3}u, half_values = {4}u;\n"
      "  const uint thread = {5};\n"
      "  const uint threads = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
      "  uint place = 0, words = 0, turn = 0;\n"
      "  bool goes_on = true;\n"
      "resume:;\n"
      "  if (!goes_on) {{\n"
      "    for (uint i = 0; i < words; ++i)\n"
      "      values[turn * half_values + i * half_places + thread] = "
      "values[(1u - turn) * half_values + i * half_places + thread];\n"
      "    goto wait;\n"
      "  }}\n"
      "{8}"
      "  switch (place) {{\n"
      "{6}"
      "    default: goto {7};\n"
      "  }}\n",
      2 * most_threads(), 2 * half_values, most_threads() / 32, most_threads(), half_values,
      thread_index, resumptions_, names_.at(&function_.getEntryBlock()),
      entries_.empty() ? "" : "dispatch:;\n");
}

std::string KernelPrinter::resumable_end() const {
  const auto combine =
      combinations_.empty()
          ? std::string()
          : fmt::format("    switch (earliest[thread / 32u]) {{\n{}      default: break;\n    }}\n",
                        combinations_);
  return fmt::format(
      "wait:;\n"
      "  places[turn * half_places + thread] = place;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
      "  if ((thread & 31u) == 0u) {{\n"
      "    uint mask = msci_lead(places + turn * half_places + thread, earliest + thread / 32u, "
      "min(32u, threads - thread));\n"
      "{0}"
      "  }}\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  goes_on = place != 0xffffffffu && place == earliest[thread / 32u] &&\n"
      "            ((place & 1u) != {1}u || msci_all_wait(earliest, (threads + 31u) / 32u));\n"
      "  bool all_returned = msci_all_returned(earliest, (threads + 31u) / 32u);\n"
      "  turn = 1u - turn;\n"
      "  if (!all_returned) goto resume;\n",
      combine, barrier_kind);
}

}  // namespace msci

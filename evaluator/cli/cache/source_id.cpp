#include "evaluator/cli/cache/source_id.h"

#include <fmt/format.h>

namespace msci {
namespace {

// Replaces an id by a name in the messages of results.
class Naming {
 public:
  Naming(std::string id, const std::string& name) : id_(std::move(id)), name_(name) {}

  void operator()(std::string& message) const {
    for (auto at = message.find(id_); at != message.npos; at = message.find(id_, at)) {
      message.replace(at, id_.size(), name_);
      at += name_.size();
    }
  }
  void operator()(std::optional<std::string>& message) const {
    if (message) (*this)(*message);
  }
  void operator()(SizeResult& size) const {
    if (auto* failure = std::get_if<Failure>(&size.answer)) (*this)(failure->message);
    (*this)(size.wrong_pass);
  }
  void operator()(std::optional<SizeResult>& size) const {
    if (size) (*this)(*size);
  }
  void operator()(Diagnostic& diagnostic) const {
    (*this)(diagnostic.message);
    for (auto& note : diagnostic.notes) (*this)(note.message);
  }
  template <typename T>
  void operator()(std::vector<T>& all) const {
    for (auto& each : all) (*this)(each);
  }
  void operator()(Rejected& rejected) const { (*this)(rejected.reason); }
  void operator()(Wrong& wrong) const {
    (*this)(wrong.sizes);
    (*this)(wrong.reason);
  }
  void operator()(Scored& scored) const {
    (*this)(scored.sizes);
    (*this)(scored.held_out);
  }
  void operator()(Outcome& outcome) const { std::visit(*this, outcome); }
  void operator()(Error& error) const { (*this)(error.message); }
  void operator()(StrictResult& strict) const {
    (*this)(strict.sizes);
    (*this)(strict.faults);
    (*this)(strict.findings);
    (*this)(strict.not_checked);
  }

 private:
  std::string id_;
  const std::string& name_;
};

}  // namespace

std::string source_id(const std::string& digest) {
  return fmt::format("source-{}.metal", digest.substr(0, 32));
}

EvaluationResult named(EvaluationResult result, const std::string& file) {
  const Naming name(result.file, file);
  result.file = file;
  std::visit(name, result.result);
  if (result.strict) name(*result.strict);
  name(result.diagnostics);
  return result;
}

}  // namespace msci

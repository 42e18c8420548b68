#include <utility>

#include "base/files/uri.h"
#include "evaluator/page/clients.h"

namespace msci {
namespace {

constexpr std::size_t most_pending = 256;
constexpr std::size_t most_documents = 32;
constexpr std::chrono::seconds longest_answer(15);

Json failure(const std::string& why) { return {{"error", why}}; }

}  // namespace

void LanguageClient::ask(LanguageQuestion question, Answered answered) {
  if (pending_.size() >= most_pending) return answered(failure("the language server is busy"));
  if (auto error = start()) return answered(failure(error->message));
  show(question);
  const auto id = next_++;
  question.params["textDocument"] = {{"uri", uri_of(question.path)}};
  pending_.emplace(id, Pending{std::move(answered), PollLoop::Clock::now()});
  send({{"id", id}, {"method", question.method}, {"params", std::move(question.params)}});
}

void LanguageClient::watch(PollLoop& loop) {
  const auto now = PollLoop::Clock::now();
  for (auto each = pending_.begin(); each != pending_.end();) {
    if (now - each->second.since <= longest_answer) {
      ++each;
      continue;
    }
    const auto late = std::move(each->second.answered);
    each = pending_.erase(each);
    late(failure("the language server did not answer in time"));
  }
  if (server_) server_->watch(loop, [this] { read(); });
}

void LanguageClient::ask_to_end() {
  if (server_) server_->ask_to_end();
}

void LanguageClient::end(PollLoop::Clock::time_point deadline) {
  if (server_) server_->end(deadline);
}

std::optional<Error> LanguageClient::start() {
  if (server_) return std::nullopt;
  auto started = ChildServer::start(command_);
  if (!started) return started.error();
  server_.emplace(*std::move(started));
  reader_.emplace(server_->output());
  send({{"id", 0},
        {"method", "initialize"},
        {"params",
         {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", Json::object()}}}});
  send({{"method", "initialized"}, {"params", Json::object()}});
  return std::nullopt;
}

// Gives the server the text, if it has another one. The least recent document makes room.
void LanguageClient::show(const LanguageQuestion& question) {
  const auto uri = uri_of(question.path);
  const auto known = texts_.find(uri);
  const bool is_open = known != texts_.end();
  if (is_open && known->second == question.text) return;
  const Json document{{"uri", uri}, {"languageId", "metal"}, {"version", next_}};
  if (is_open) {
    send({{"method", "textDocument/didChange"},
          {"params",
           {{"textDocument", document}, {"contentChanges", {{{"text", question.text}}}}}}});
  } else {
    auto opened = document;
    opened["text"] = question.text;
    send({{"method", "textDocument/didOpen"}, {"params", {{"textDocument", opened}}}});
  }
  texts_[uri] = question.text;
  recent_.remove(uri);
  recent_.push_front(uri);
  if (recent_.size() <= most_documents) return;
  send({{"method", "textDocument/didClose"},
        {"params", {{"textDocument", {{"uri", recent_.back()}}}}}});
  texts_.erase(recent_.back());
  recent_.pop_back();
}

void LanguageClient::send(Json message) {
  message["jsonrpc"] = "2.0";
  server_->input().append(to_frame(to_line(message)));
}

void LanguageClient::read() {
  if (!server_) return;
  reader_->read_available();
  while (const auto frame = reader_->next_frame()) {
    if (!*frame) return fail(frame->error().message);
    auto message = parse_json<Json>(**frame);
    if (!message || !message->is_object() || !message->contains("id") ||
        message->contains("method"))
      continue;
    const auto& id = message->at("id");
    const auto found = id.is_number() ? pending_.find(id.get<std::int64_t>()) : pending_.end();
    if (found == pending_.end()) continue;
    const auto answered = std::move(found->second.answered);
    pending_.erase(found);
    answered(message->contains("error")
                 ? failure(message->at("error").value("message", std::string()))
                 : Json{{"result", message->value("result", Json())}});
  }
  if (reader_->ended()) fail("the language server ended; try again");
}

// The next question starts it again.
void LanguageClient::fail(const std::string& why) {
  server_.reset();
  reader_.reset();
  texts_.clear();
  recent_.clear();
  for (const auto& [id, pending] : std::exchange(pending_, {})) pending.answered(failure(why));
}

}  // namespace msci

#include "lint/ide/protocol/requests.h"

#include <algorithm>

namespace msci {
namespace {

// What a process found; null where it failed.
Json json_from(const Result<IsolatedOutcome>& outcome) {
  const auto* text = outcome ? std::get_if<std::string>(&*outcome) : nullptr;
  auto json = text ? parse_json<Json>(*text) : Result<Json>(Json());
  // If the source crashed the process, linting reports it; nothing is shown here.
  return json ? *std::move(json) : Json();
}

}  // namespace

std::optional<Error> DocumentReader::begin() {
  if (is_asked_) return std::nullopt;
  auto error = ask_process();
  is_asked_ = !error;
  return error;
}

std::optional<DocumentReader::Answer> DocumentReader::take() {
  const auto outcome = answer_of_process();
  is_asked_ = false;
  const auto* text = outcome ? std::get_if<std::string>(&*outcome) : nullptr;
  if (!text || text->empty()) process_.reset();
  if (text && text->empty()) return std::nullopt;
  Answer answer{std::move(questions_.front()), json_from(outcome)};
  questions_.pop_front();
  return answer;
}

bool DocumentReader::stop(const Json& id) {
  if (is_asked_ && questions_.front().id == id) {
    process_.reset();
    is_asked_ = false;
  }
  return std::erase_if(questions_, [&](const auto& each) { return each.id == id; }) > 0;
}

void Requests::ask(const std::shared_ptr<DocumentReader>& reader, ReaderQuestion question) {
  const bool was_idle = reader->is_idle();
  reader->add(std::move(question));
  if (!was_idle) return;
  readers_.push_back(reader);
  begin(reader);
}

// With its next question; a reader without one leaves the list.
void Requests::begin(const std::shared_ptr<DocumentReader>& reader) {
  const auto error = reader->is_idle() ? std::nullopt : reader->begin();
  if (error)
    for (const auto& question : reader->clear())
      client_.respond_error(question.id, ProtocolError::request_failed, error->message);
  if (reader->is_idle()) readers_.remove(reader);
}

void Requests::take_answer(const std::shared_ptr<DocumentReader>& reader) {
  auto answer = reader->take();
  begin(reader);
  if (answer) answer->question.then(std::move(answer->result));
}

void Requests::start(const Json& id, Then then, const std::function<std::string()>& work) {
  if (const auto error = begin(id, std::move(then), work))
    client_.respond_error(id, ProtocolError::request_failed, error->message);
}

std::optional<Error> Requests::begin(const Json& id, Then then,
                                     const std::function<std::string()>& work) {
  auto process = IsolatedProcess::start(work);
  if (!process) return process.error();
  pending_.push_back({id, *std::move(process), std::move(then)});
  return std::nullopt;
}

void Requests::finish(std::list<Pending>::iterator request) {
  auto json = json_from(request->process.finish());
  const auto then = std::move(request->then);
  pending_.erase(request);
  then(std::move(json));
}

void Requests::search(FileSearch search) {
  searches_.push_back(std::move(search));
  searches_.back().progress.begin(searches_.back().title);
  advance(std::prev(searches_.end()));
}

void Requests::advance(std::list<FileSearch>::iterator search) {
  while (search->started < search->files.size() && search->started - search->done < at_once_) {
    const auto file = search->files[search->started++];
    const auto take = [this, search, file](Json part) {
      search->take(file, std::move(part));
      search->progress.report(++search->done, search->files.size(), "files");
      advance(search);
    };
    const auto error = begin(search->id, take, [&] { return to_line(search->work(file)); });
    if (!error) continue;
    const auto id = search->id;
    stop(id);  // the files that are being worked on would answer, too
    return client_.respond_error(id, ProtocolError::request_failed, error->message);
  }
  if (search->done < search->files.size()) return;
  search->progress.end();
  const auto end = std::move(search->end);
  searches_.erase(search);
  end();
}

void Requests::evaluate(const Json& id, WorkDoneProgress progress, const std::string& title,
                        std::vector<std::string> arguments) {
  auto evaluation = EvaluationProcess::start(std::move(arguments));
  if (!evaluation)
    return client_.respond_error(id, ProtocolError::request_failed, evaluation.error().message);
  progress.begin(title);
  evaluations_.push_back({id, std::move(progress), *std::move(evaluation)});
}

void Requests::finish(std::list<Evaluating>::iterator request) {
  const auto exit = request->evaluation.wait();
  const auto& output = request->evaluation.output();
  request->progress.end();
  const auto type = exit.code == 0   ? MessageType::information
                    : exit.code == 1 ? MessageType::warning
                                     : MessageType::error;
  client_.show(type, output.empty() ? describe(exit) : output);
  client_.respond(request->id,
                  {{"exit", exit.code ? Json(*exit.code) : Json()}, {"output", output}});
  evaluations_.erase(request);
}

bool Requests::stop(const Json& id) {
  const auto is_it = [&](const auto& request) { return request.id == id; };
  for (auto& search : searches_)
    if (is_it(search)) search.progress.end();
  for (auto& evaluating : evaluations_)
    if (is_it(evaluating)) evaluating.progress.end();
  // The processes of a search go first: they refer to it.
  auto stopped = std::erase_if(pending_, is_it);
  stopped += std::erase_if(searches_, is_it);
  stopped += std::erase_if(evaluations_, is_it);
  for (const auto& reader : std::list(readers_)) {
    if (!reader->stop(id)) continue;
    ++stopped;
    begin(reader);
  }
  return stopped > 0;
}

std::vector<Json> Requests::ids_of(const Json& token) const {
  std::vector<Json> ids;
  for (const auto& search : searches_)
    if (search.progress.token() == token) ids.push_back(search.id);
  for (const auto& evaluating : evaluations_)
    if (evaluating.progress.token() == token) ids.push_back(evaluating.id);
  return ids;
}

void Requests::watch(PollLoop& loop) {
  for (auto each = pending_.begin(); each != pending_.end(); ++each)
    loop.watch(each->process.descriptor(), POLLIN, [this, each] {
      if (each->process.read_available()) finish(each);
    });
  for (const auto& reader : readers_)
    loop.watch(reader->descriptor(), POLLIN, [this, reader] { take_answer(reader); });
  for (auto each = evaluations_.begin(); each != evaluations_.end(); ++each)
    loop.watch(each->evaluation.descriptor(), POLLIN, [this, each] {
      if (each->evaluation.read_available()) finish(each);
    });
}

}  // namespace msci

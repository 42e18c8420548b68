// Requests about one open document.
#pragma once

#include "lint/ide/protocol/questions.h"
#include "lint/ide/server/documents.h"

namespace msci {

class DocumentRequests {
 public:
  DocumentRequests(EditorSession& session, Documents& documents)
      : session_(session), documents_(documents) {}

  // Responds with the answer to a question about an open document; null if it is not open.
  void ask(const Json& id, const Json& params, Answer answer);
  // Semantic tokens, as a difference to those that the editor has if it asks for that.
  void colour(const Json& id, const Json& params);
  void code_actions(const Json& id, const Json& params);
  // Explains a finding at the place; otherwise describes the name there.
  void hover(const Json& id, const Json& params);
  void complete(const Json& id, const Json& params);
  void help_with_call(const Json& id, const Json& params);
  // By clang-format, with the .clang-format of the file's folder or above.
  void format(const Json& id, const Json& params);

 private:
  void ask(const Json& id, const Json& params, Answer answer, Then then);

  EditorSession& session_;
  Documents& documents_;
  unsigned semantic_results_ = 0;
};

}  // namespace msci

// Commands, which an editor executes for a code lens or a code action.
#pragma once

#include <string>

#include "lint/ide/server/documents.h"

namespace msci {

class Commands {
 public:
  Commands(EditorSession& session, Documents& documents)
      : session_(session), documents_(documents) {}

  void execute(const Json& id, const Json& params);

 private:
  // Opens the page of a rule; shows its beginning if the editor cannot open pages, or there are
  // none.
  void explain(const Json& id, const std::string& name);
  // The token that came with a request, or one that we make for it if the editor shows progress.
  Json progress_token(const Json& params);

  EditorSession& session_;
  Documents& documents_;
  unsigned progress_tokens_ = 0;
};

}  // namespace msci

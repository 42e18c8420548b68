#include "base/formats/xml.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

TEST(EscapeXml, replaces_markup_and_what_xml_cannot_hold) {
  EXPECT_EQ(escape_xml("plain text\tä"), "plain text\tä");
  EXPECT_EQ(escape_xml("<a b=\"c\" d='e'> & more"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; more");
  EXPECT_EQ(escape_xml("two\nlines"), "two&#10;lines");
  EXPECT_EQ(escape_xml("\x01\xff"), "\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace msci

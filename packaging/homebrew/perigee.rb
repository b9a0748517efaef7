# A formula for a tap. @HOME@ is where the project is public; with it filled in, this builds its head:
#   brew install --HEAD --build-from-source ./packaging/homebrew/perigee.rb
# A release adds `url` and `sha256`.
class Perigee < Formula
  desc "Desktop automation engine: MCP server and client with tools in Lua"
  homepage "@HOME@"
  license "MIT"
  head "@HOME@.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "cjson"
  depends_on "gmime"
  depends_on "gmp"
  depends_on "jpeg-turbo"
  depends_on "leptonica"
  depends_on "libdeflate"
  depends_on "libmicrohttpd"
  depends_on "libuv"
  depends_on "lua@5.4"
  depends_on "nettle"
  depends_on "pcre2"
  depends_on "tesseract"
  depends_on "utf8proc"

  uses_from_macos "curl"
  uses_from_macos "libedit"

  on_linux do
    depends_on "libx11"
    depends_on "libxcb"
    depends_on "libxcomposite"
    depends_on "libxext"
    depends_on "libxfixes"
    depends_on "libxkbcommon"
    depends_on "libxrandr"

    on_intel do
      depends_on "isa-l"
    end
  end

  def install
    system "make", "all", "PREFIX=#{prefix}"
    system "make", "install", "PREFIX=#{prefix}"
  end

  def caveats
    return unless OS.mac?

    <<~EOS
      macOS grants permissions to the program that starts Perigee: your terminal, editor
      or MCP client. Grant it what you need in System Settings > Privacy & Security:
      Screen & System Audio Recording (screenshots), Accessibility (windows and input),
      Automation (Keynote and others). `perigee doctor` reports what is missing.

      Give MCP clients this path, which stays the same from version to version:
        #{opt_bin}/perigee
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/perigee --version") if build.stable?
    request = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' \
              '"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}'
    assert_match '"serverInfo"', pipe_output("#{bin}/perigee serve", "#{request}\n", 0)
  end
end

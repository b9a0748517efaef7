local env = require "sys.env"

--- get
print(env.get "PATH" ~= nil, env.get "NO_SUCH_VARIABLE", env.get("NO_SUCH_VARIABLE", "default"))   --> true	nil	default
print(env.platform == "linux" or env.platform == "macos")                                          --> true

--- file
print(env.file() == nil or env.file():find "/%.env$" ~= nil)   --> true

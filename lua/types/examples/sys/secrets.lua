local secrets = require "sys.secrets"

--- write
assert(secrets.write("example", "a token"))
print(secrets.read "example")                        --> a token
assert(secrets.write("example", nil))                -- forget it
print(select(3, secrets.read "example"))             --> not_found

--- read
print(select(3, secrets.read "no_such_secret"))   --> not_found

--- read_file
print(select(3, secrets.read_file "no-such-file.json"))   --> not_found

--- try_lock
local held <close> = assert(secrets.try_lock "example")
print(select(3, secrets.try_lock "example"))   --> busy

local permission = require "sys.permission"

--- check
-- Never shows a dialog. Elsewhere than on a Mac all is allowed.
local allowed, err, code = permission.check "accessibility"
print(allowed or code)   --> ...

--- responsible
print(math.type(permission.responsible()))   --> integer

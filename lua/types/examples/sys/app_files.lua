local app_files = require "sys.app_files"

--- folders
for _, folder in ipairs(app_files.folders()) do
  assert(app_files.list(folder))
end

--- list
print(select(3, app_files.list "/etc"))   --> not_granted

--- read
print(select(3, app_files.read "/etc/hostname"))   --> not_granted

--- stat
print(select(3, app_files.stat "/etc/hostname"))   --> not_granted

---@meta sys.effect

--- Effects that a library tells the policy of (docs/policy.md), where no function of a module can know what they are. Each returns
--- true, or nil, text, code if the policy or the user refuses: then it must not be done.
---@class sys.effect
local effect = {}

--- A file's path is about to be entered into the file dialog of an application, which opens it or saves to it.
---@param path string
---@param pid? integer  of the application; nil: it is not known
---@return true? ok
---@return string? err
---@return string? code  "denied", "not_approved", "changed"
function effect.choose_file(path, pid) end

---@class sys.effect.Mail
---@field recipients string[]  addresses
---@field message string       what is sent, as text
---@field host? string
---@field attachments? string[]  the paths of the files in the message, which a question shows

--- A mail is about to be sent by other means than sys.smtp.
---@param mail sys.effect.Mail
---@return true? ok
---@return string? err
---@return string? code  as for choose_file()
function effect.mail(mail) end

---@class sys.effect.Question
---@field url? string   where the model is
---@field json table    what it is asked

--- A model is about to be asked.
---@param question sys.effect.Question
---@return true? ok
---@return string? err
---@return string? code  as for choose_file()
function effect.model(question) end

--- A process that this engine started is about to write a file, and perhaps another one with it.
---@param path string  absolute
---@param beside? string
---@return true? ok
---@return string? err
---@return string? code  as for choose_file()
function effect.save_file(path, beside) end

---@class sys.effect.Change
---@field name? string  what is changed
---@field text string   what it becomes

--- A tool or a setting of Perigee is about to be changed.
---@param change sys.effect.Change
---@return true? ok
---@return string? err
---@return string? code  as for choose_file()
function effect.settings(change) end

--- Another program is about to move a file to the trash.
---@param path string  absolute
---@return true? ok
---@return string? err
---@return string? code  as for choose_file()
function effect.trash(path) end

--- Tells whether a result may name a window or an application beside what its caller asked for: the policy lets the caller use
--- the tool that tells the same, without a question.
---@param tool string  "list_windows", "list_applications"
---@param of? string|{pid: integer, started?: integer, app?: string}  the names of the application, one a line, or a window or an
---  application as the system tells of it; nil: it is not known
---@return boolean
function effect.shows(tool, of) end

return effect

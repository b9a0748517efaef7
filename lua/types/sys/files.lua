---@meta sys.files

--- The files of the roots: tools, prompts, rules, providers, resources, commands and lib modules.
---@class sys.files
local files = {}

---@alias sys.files.Kind "tool"|"prompt"|"rule"|"provider"|"resource"|"command"|"service"|"text"

---@class sys.files.File
---@field kind sys.files.Kind|"lib"
---@field name string       dotted for a lib file: "agent.wire"
---@field toolset string    "" except for a tool
---@field path string       absolute
---@field label string      "tools/keynote/draw_rectangle.lua"
---@field root string        for a file of a pack: the pack's directory
---@field foreign? true     set if its place makes it foreign: no code in it runs in the engine
---@field overridden_by? string  path of the file in effect, of a later root or, for a file of a pack, of any
---@field shadowed_by? string  for a lib file: path of the one of the same name in a later root. Each root uses its own

--- Lists every file, root by root and then pack by pack, even those that do not load. For a pack that is not approved only
--- tools and lib files.
---@return sys.files.File[]
function files.list() end

--- Returns the table of a file, from the newest generation. A command is loaded again each time, and nothing else with it.
---@param kind sys.files.Kind
---@param name string
---@return table?
---@return string? err
---@return string? code
function files.table(kind, name) end

--- Returns the names of all modules of sys that `require` finds.
---@return string[] names  "sys.window", ...
function files.modules() end

--- Returns the text that declares a module that comes with Perigee: annotations for editors, or its Lua, or both.
---@param module string  "sys.window", "inspect"; "examples.sys.window" for its examples in the reference
---@return string? text
---@return string? err
---@return string? code
function files.stub(module) end

--- Returns the names of a tool's parameters, in the order that clients see.
---@param tool string
---@return string[]? names
---@return string? err
---@return string? code
function files.parameters(tool) end

--- Returns the value of a lib module as `require` returns it to a file of this root. Loading ends if it takes too long; such a
--- file is not loaded again until it changes.
---@param name string   dotted: "agent.wire"
---@param root? string  or the directory of a pack; default: as for a script
---@param seconds? number  of processor time for its statements: more than 0, at most 2, the default
---@return any module
---@return string? err
---@return string? code
function files.lib(name) end

--- Returns the value of a test file: one in tests/ of a root or of an approved pack, or in tests/ beside the first root. Its
--- `require` lines find what files of that root find. Loading ends if it takes too long.
---@param path string  absolute
---@return any value
---@return string? err   "tests/tools/NAME_test.lua:3: what is wrong"
---@return string? code
function files.test(path) end

--- Reads a file that decides what Perigee does, such as mcp.json: no other user may be able to change it. Only files that come
--- with the program have this function, since it asks for no grant.
---@param path string  absolute, or relative to the working directory; "~" at its beginning is the home
---@return string? text  at most 4 MB
---@return string path   that of the file, or the error
---@return string? code  "not_found", "insecure", "too_large", "permission_denied", ...
function files.trusted(path) end

---@class sys.files.Found
---@field path string
---@field real? string  the path without symbolic links; nil: it leads nowhere
---@field head string   its first 4,096 bytes; "" for a directory, and for what cannot be read
---@field runs boolean  a program that may be run, or a directory that may be entered

--- Lists what is there by a pattern of the shell. Only files that come with the program have this function, since it asks for no
--- grant.
---@param pattern string  absolute: "/usr/lib/python3.*/os.py"
---@return sys.files.Found[]
function files.look(pattern) end

--- Loads a file once more, apart from the generations, with its `lib` modules. For every sys or lib module that these require,
--- `stand_in` is called: the value that it returns is used instead, nil takes the real one. It cannot wait. Without `stand_in`
--- the file is loaded as it is, and no other with it.
---@param kind sys.files.Kind
---@param name string
---@param stand_in? fun(module: string): table?
---@return sys.files.Loaded? file
---@return string? err
---@return string? code
function files.load(kind, name, stand_in) end

---@class sys.files.Loaded
local loaded = {}

--- Returns the table of the file.
---@return table
function loaded:table() end

--- Calls the tool as sys.engine.call() does.
---@param arguments? table
---@param options? {timeout?: number}
---@return sys.engine.Result? result
---@return string? err   if the arguments do not fit
---@return string? code
function loaded:call(arguments, options) end

--- Reads the resource as sys.engine.read() does.
---@param uri string
---@param options? {timeout?: number}
---@return sys.engine.Content[]? contents
---@return string? err
---@return string? code
function loaded:read(uri, options) end

return files

---@meta sys.files

--- The files of the roots: tools, prompts, rules, providers, resources, commands and lib modules.
---@class sys.files
local files = {}

---@alias sys.files.Kind "tool"|"prompt"|"rule"|"provider"|"resource"|"command"|"service"

---@class sys.files.File
---@field kind sys.files.Kind|"lib"
---@field name string       a lib's is dotted: "agent.wire"
---@field toolset string    "" unless a tool
---@field path string       absolute
---@field label string      "tools/keynote/draw_rectangle.lua"
---@field root string        of a pack's file the pack's directory
---@field foreign? true     by its place: nothing in it runs in the engine
---@field overridden_by? string  path of the file that counts instead, of a later root or, of a pack's file, of any
---@field shadowed_by? string  of a lib file: path of the one of the same name in a later root. Each root uses its own

--- Every file, root by root and then pack by pack, also those that do not load. Of a pack that is not approved only tools
--- and lib files.
---@return sys.files.File[]
function files.list() end

--- What a file returned, from the newest generation. A command is loaded again each time, and nothing else with it.
---@param kind sys.files.Kind
---@param name string
---@return table?
---@return string? err
---@return string? code
function files.table(kind, name) end

--- The names of all modules of sys: what `require` finds.
---@return string[] names  "sys.window", ...
function files.modules() end

--- The text that declares a module that comes with Perigee: annotations for editors, or its Lua, or both.
---@param module string  "sys.window", "inspect"; "examples.sys.window" for its examples in the reference
---@return string? text
---@return string? err
---@return string? code
function files.stub(module) end

--- The names of a tool's parameters, in the order that clients see.
---@param tool string
---@return string[]? names
---@return string? err
---@return string? code
function files.parameters(tool) end

--- What requiring a lib module gives to a file of this root. It is ended when it takes too long.
---@param name string   dotted: "agent.wire"
---@param root? string  or the directory of a pack; default: as to a script
---@return any module
---@return string? err
---@return string? code
function files.lib(name) end

--- What a file of tests returns: one in tests/ of a root or of an approved pack, or in tests/ beside the first root. Its `require`
--- lines find what files of that root find. It is ended when it takes too long.
---@param path string  absolute
---@return any value
---@return string? err   "tests/tools/NAME_test.lua:3: what is wrong"
---@return string? code
function files.test(path) end

--- Loads a file once more, apart from the generations, with its `lib` modules. For every sys or lib module that
--- it or they require, `stand_in` is asked: what it returns is used instead, nil takes the real one. It cannot wait. Without
--- `stand_in` the file is loaded as it is, and no other with it.
---@param kind sys.files.Kind
---@param name string
---@param stand_in? fun(module: string): table?
---@return sys.files.Loaded? file
---@return string? err
---@return string? code
function files.load(kind, name, stand_in) end

---@class sys.files.Loaded
local loaded = {}

--- What the file returned.
---@return table
function loaded:table() end

--- Calls the tool as sys.engine.call() does.
---@param arguments? table
---@param options? {timeout?: number}
---@return sys.engine.Result? result
---@return string? err   the arguments do not fit
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

---@meta agent

--- What the agent's loop, its rules (lua/prompts/*.lua with `parse`) and its providers (lua/providers/*.lua) hand to
--- each other. Every value here is plain data, so any part can be swapped between two turns.

--- One entry of the conversation, the same for every provider.
---@class agent.Message
---@field role "user"|"assistant"|"tool"
---@field text?       string              user and assistant
---@field tool_calls? agent.ToolCall[]    assistant
---@field results?    agent.ToolResult[]  tool: one for each call of the message before
---@field images?     agent.Image[]       user: shown with the text
---@field native?     {provider: string, value: any}  an assistant message as its API gave it, to be sent back unchanged

--- An image as the model is shown it: it fits what the provider's `images` says.
---@class agent.Image
---@field data string       base64 of the file
---@field mime_type string  "image/png", "image/jpeg" or "image/webp"
---@field width? integer    pixels
---@field height? integer
---@field number? integer   of the images of the run
---@field place? string     what the text says of it: "[image 3: 800 x 600 pixels]"

---@class agent.ToolCall
---@field id string
---@field name string
---@field arguments? table
---@field malformed? string  the arguments' text, when it was not JSON

---@class agent.ToolResult
---@field id string
---@field name string
---@field text string
---@field failed boolean
---@field images? agent.Image[]  that the tool returned; the agent adds them to what the rule's results() returns

--- What is sent to a model.
---@class agent.Request
---@field system?     string
---@field messages    agent.Message[]
---@field tools?      agent.Tool[]  only for native tool calling
---@field max_tokens? integer

--- What a model answered.
---@class agent.Reply
---@field text        string   "" when there is none
---@field tool_calls? agent.ToolCall[]
---@field stop        "end"|"tool_calls"|"length"
---@field usage?      {input?: integer, output?: integer}  tokens
---@field model?      string   that answered
---@field note?       string   for people: what was unusual
---@field native?     {provider: string, value: any}

---@class agent.Context
---@field model?       string   as the user named it; nil: the provider's choice
---@field request_text string   what the user asked for
---@field memory       table    kept between the turns of one run, the provider's own
---@field tape?        table    a recorded run (provider `replay`)
---@field timeout?     number   seconds for one reply
---@field base?        string   URL of the API, instead of the one in the environment

--- A tool as a server lists it; `server` is which one.
---@class agent.Tool: sys.mcp.Tool
---@field server string

--- A call that was made.
---@class agent.Call
---@field id        string
---@field turn      integer
---@field tool      string
---@field arguments table
---@field line      string   as the log shows it: "draw_rectangle|384|378|1152|324"
---@field text      string   the answer
---@field images?   agent.Image[]  that the tool returned, until they are in the transcript
---@field failed    boolean  isError, or text that begins with "ERROR:"

--- What a rule sees of the run. It may keep what it likes in `memory`; the rest it leaves alone.
---@class agent.State
---@field request   string
---@field system    string
---@field tools     agent.Tool[]
---@field turn      integer
---@field max_turns integer
---@field messages  agent.Message[]
---@field calls     agent.Call[]
---@field memory    table

--- What a rule makes of a reply: messages to add, then either calls to make, a reason to stop, or neither (next turn).
---@class agent.Decision
---@field messages? agent.Message[]
---@field calls?    {id: string, tool: string, arguments: table, line: string}[]
---@field parallel? boolean  the calls may run at the same time
---@field notes?    {kind: string, text: string}[]  what was told to the model, for the log
---@field stop?     {ok: boolean, reason: string, message: string}

--- A rule of the agent: the whole of what is said to a model and of what its replies mean.
---@class agent.Rule: Rule
---@field native   boolean  needs a provider that supports tools
---@field parse    fun(reply: string|agent.Reply): table?  what a reply says; nil: nothing the rule knows. Pure: `examples` run it
---@field describe fun(tools: agent.Tool[]): string  what `{tools_description}` of a prompt becomes
---@field request  fun(state: agent.State): agent.Request
---@field decide   fun(state: agent.State, reply: agent.Reply): agent.Decision
---@field results  fun(state: agent.State, calls: agent.Call[]): agent.Message[]  what goes back after the calls

---@class agent.Options
---@field request    string
---@field prompt?    string
---@field model?     string   PROVIDER or PROVIDER/MODEL
---@field server?    {command: string, args?: string[], env?: table<string, string>}
---@field servers?   string   path of an `mcpServers` file
---@field max_turns? integer  default 8
---@field log?       string   default "logs/agent.log"
---@field journal?   string   folder; default "logs/runs"
---@field replay?    string   path of a journal
---@field json?      boolean  JSON lines on `output`
---@field terminal?  boolean
---@field color?     boolean
---@field output     fun(text: string)
---@field elicit?    fun(ask: sys.mcp.Elicitation): any, string?  answers the servers' questions to the user

---@class agent.Outcome
---@field ok      boolean
---@field reason  string  "done", "nothing_done", "tool_error", "max_turns", "no_progress", "model_error", "server_error",
---                       "diverged", "cancelled", "usage", "rule_error"
---@field message string
---@field code?   string  of the error behind it
---@field turns   integer
---@field calls   integer
---@field run_id  string
---@field journal? string path

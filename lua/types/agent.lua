---@meta agent

--- The values that the agent's loop, its rules (lua/prompts/*.lua with `parse`) and its providers (lua/providers/*.lua)
--- exchange. Every value here is plain data, so any part can be replaced between two turns.

--- One entry of the conversation, the same for every provider.
---@class agent.Message
---@field role "user"|"assistant"|"tool"
---@field text?       string              user and assistant
---@field tool_calls? agent.ToolCall[]    assistant
---@field results?    agent.ToolResult[]  tool: one for each call of the message before
---@field images?     agent.Image[]       user: shown with the text
---@field native?     {provider: string, value: any}  an assistant message as its API returned it, to be sent back unchanged

--- An image as the model is shown it: it fits the limits of the provider's `images`.
---@class agent.Image
---@field data string       base64 of the file
---@field mime_type string  "image/png", "image/jpeg" or "image/webp"
---@field width? integer    pixels
---@field height? integer
---@field number? integer   counts the images of the run
---@field place? string     its mark in the text: "[image 3: 800 x 600 pixels]"

---@class agent.ToolCall
---@field id string
---@field name string
---@field arguments? table
---@field malformed? string  the text of the arguments if it was not JSON

---@class agent.ToolResult
---@field id string
---@field name string
---@field text string
---@field failed boolean
---@field images? agent.Image[]  the images of the result; the agent adds them to the messages of the rule's results()

--- A request to a model.
---@class agent.Request
---@field system?     string
---@field messages    agent.Message[]
---@field tools?      agent.Tool[]  only for native tool calling
---@field max_tokens? integer

--- The answer of a model.
---@class agent.Reply
---@field text        string   "" if there is none
---@field tool_calls? agent.ToolCall[]
---@field stop        "end"|"tool_calls"|"length"
---@field usage?      {input?: integer, output?: integer}  tokens
---@field model?      string   the model that answered
---@field note?       string   a note for people if something was unusual
---@field native?     {provider: string, value: any}

---@class agent.Context
---@field model?       string   as the user named it; nil for the provider's choice
---@field request_text string   the user's request
---@field memory       table    the provider's own, kept between the turns of one run
---@field tape?        table    a recorded run (provider `replay`)
---@field timeout?     number   seconds for one reply
---@field base?        string   URL of the API, in place of that in the environment

--- A tool as a server lists it; `server` is the name of that server.
---@class agent.Tool: sys.mcp.Tool
---@field server string

--- A call that was made.
---@class agent.Call
---@field id        string
---@field turn      integer
---@field tool      string
---@field arguments table
---@field line      string   the call as the log shows it: "draw_rectangle|384|378|1152|324"
---@field text      string   the answer
---@field images?   agent.Image[]  the images of the result, until they are in the transcript
---@field failed    boolean  isError, or text that begins with "ERROR:"

--- The run as a rule sees it. The rule may keep its own values in `memory`, and must not change the rest.
---@class agent.State
---@field request   string
---@field system    string
---@field tools     agent.Tool[]
---@field turn      integer
---@field max_turns integer
---@field messages  agent.Message[]
---@field calls     agent.Call[]
---@field memory    table

--- The decision of a rule about a reply: messages to add, then either calls to make, a reason to stop, or neither (next turn).
---@class agent.Decision
---@field messages? agent.Message[]
---@field calls?    {id: string, tool: string, arguments: table, line: string}[]
---@field parallel? boolean  true: the calls may run at the same time
---@field notes?    {kind: string, text: string}[]  messages to the model, for the log
---@field stop?     agent.Stop

--- The end of a run. Its reason is one of those of agent.Outcome.
---@class agent.Stop
---@field ok      boolean
---@field reason  string
---@field message string

--- A rule of the agent: it decides all that is said to a model, and what the model's replies mean.
---@class agent.Rule: Rule
---@field native   boolean  true if it needs a provider that supports tools
---@field parse    fun(reply: string|agent.Reply): table?  reads a reply; nil if it cannot. It only computes, as `examples` run it
---@field describe fun(tools: agent.Tool[]): string  returns the text for `{tools_description}` of a prompt
---@field request  fun(state: agent.State): agent.Request
---@field decide   fun(state: agent.State, reply: agent.Reply): agent.Decision
---@field results  fun(state: agent.State, calls: agent.Call[]): agent.Message[]  returns the messages after the calls

---@class agent.Options
---@field request    string
---@field prompt?    string
---@field model?     string   PROVIDER or PROVIDER/MODEL
---@field server?    {command: string, args?: string[], env?: table<string, string>, mounted?: string[]}  mounted: the servers
---                           whose tools it lists, if it lists no others (lua/lib/agent/mounted.lua)
---@field max_turns? integer  default 8
---@field log?       string   default "logs/agent.log"
---@field journal?   string   folder; default "logs/runs"
---@field replay?    string   path of a journal
---@field json?      boolean  true: JSON lines on `output`
---@field terminal?  boolean
---@field color?     boolean
---@field output     fun(text: string)
---@field elicit?    fun(ask: sys.mcp.Elicitation): any, string?  answers the servers' questions to the user

---@class agent.Outcome
---@field ok      boolean
---@field reason  string  "done", "nothing_done", "tool_error", "max_turns", "no_progress", "model_error", "server_error",
---                       "diverged", "cancelled", "usage", "rule_error"
---@field message string
---@field code?   string  the code of the error behind it
---@field turns   integer
---@field calls   integer
---@field run_id  string
---@field journal? string path

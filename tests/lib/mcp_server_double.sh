# An MCP server that starts in a millisecond: every list and result, and with each call a log message, a changed list and
# a question. It has a second tool while the file $1 exists.
say() { printf '%s\n' "$1"; }
answer() { say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
while IFS= read -r line; do
  case $line in *'"id":"q'*)
    id=${line#*'"id":"q'}
    id=${id%%\"*}
    answer '{"content":[{"type":"text","text":"called"}],"structuredContent":{"big":1180591620717411303424}}'
    continue ;;
  esac
  case $line in *'"id":'*'"method":'* | *'"method":'*'"id":'*) ;; *) continue ;; esac
  id=${line#*'"id":'}
  id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*) answer '{"protocolVersion":"2025-06-18","serverInfo":{"name":"far","version":"1"},"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"completions":{}}}' ;;
    *'"tools/list"'*)
      two=
      [ -e "$1" ] && two=',{"name":"two","inputSchema":{"type":"object"}}'
      answer '{"tools":[{"name":"one","description":"One.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}}}}'"$two]}" ;;
    *'"prompts/list"'*) answer '{"prompts":[{"name":"hail","arguments":[{"name":"who"}]}]}' ;;
    *'"resources/list"'*) answer '{"resources":[{"uri":"far:/a","name":"a"}]}' ;;
    *'"resources/templates/list"'*) answer '{"resourceTemplates":[{"uriTemplate":"far:/{b}","name":"b"}]}' ;;
    *'"tools/call"'*)
      say '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"a":1}}}'
      say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
      say '{"jsonrpc":"2.0","id":"q'"$id"'","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}}' ;;
    *'"prompts/get"'*) answer '{"messages":[{"role":"user","content":{"type":"text","text":"hail"}}]}' ;;
    *'"resources/read"'*) answer '{"contents":[{"uri":"far:/a","text":"held"}]}' ;;
    *'"completion/complete"'*) answer '{"completion":{"values":["v"]}}' ;;
    *'"server/discover"'*) say "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"no\"}}" ;;
    *) answer '{}' ;;
  esac
done

-- send_message: send a message through Mail
--
-- argv:   subject, text, sender or "", then three for each recipient and file: "to", "cc", "bcc" or "file"; an address or an
--         absolute path; a name or ""
-- prints: the number that Mail gave the message
-- errors: 9101 Mail did not take it, -1703 arguments are missing
--
-- "send" hands the message to Mail's outbox: Mail delivers it. A message that Mail does not take is removed again. Works for
-- up to 60 seconds.

on run argv
    set argCount to count of argv
    if argCount < 6 or argCount mod 3 is not 0 then error "send_message takes subject, text, sender, and threes" number -1703
    set theSubject to item 1 of argv
    set theText to item 2 of argv
    set theSender to item 3 of argv
    using terms from application id "com.apple.mail"
        with timeout of 60 seconds
            tell application id "com.apple.mail"
                set theMessage to make new outgoing message with properties {subject:theSubject, content:theText, visible:false}
                try
                    if theSender is not "" then set sender of theMessage to theSender
                    tell theMessage
                        repeat with i from 4 to argCount by 3
                            set theKind to item i of argv
                            set theValue to item (i + 1) of argv
                            set theName to item (i + 2) of argv
                            if theKind is "to" then
                                set made to make new to recipient at end of to recipients with properties {address:theValue}
                            else if theKind is "cc" then
                                set made to make new cc recipient at end of cc recipients with properties {address:theValue}
                            else if theKind is "bcc" then
                                set made to make new bcc recipient at end of bcc recipients with properties {address:theValue}
                            else if theKind is "file" then
                                tell content to make new attachment with properties {file name:(POSIX file theValue)} at after last paragraph
                            else
                                error "send_message knows no " & theKind number -1703
                            end if
                            if theKind is not "file" and theName is not "" then set name of made to theName
                        end repeat
                    end tell
                    set theNumber to id of theMessage
                    set wasTaken to send theMessage
                on error errText number errNumber
                    try
                        delete theMessage
                    end try
                    error errText number errNumber
                end try
                if not wasTaken then error "Mail did not take the message" number 9101
                return theNumber as text
            end tell
        end timeout
    end using terms from
end run

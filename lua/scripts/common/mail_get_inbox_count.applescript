-- mail_get_inbox_count: how much mail is in the inbox
--
-- argv:   nothing
-- prints: the number of messages in the inboxes of all accounts, a line end, the number of unread ones
-- errors: -1703 there are arguments
--
-- Starts Mail if it does not run. Works for up to 60 seconds.

on run argv
    if (count of argv) is not 0 then error "mail_get_inbox_count takes nothing" number -1703
    using terms from application id "com.apple.mail"
        with timeout of 60 seconds
            tell application id "com.apple.mail"
                set messageCount to count of messages of inbox
                set unreadCount to unread count of inbox
            end tell
        end timeout
    end using terms from
    return (messageCount as text) & linefeed & (unreadCount as text)
end run

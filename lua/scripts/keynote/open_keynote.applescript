-- open_keynote: bring Keynote up with a document, slide 1 in view
--
-- argv:   bundle id, "always_new" or "reuse_or_create", theme (its name or id)
-- prints: document id|slide width|slide height|note, in points; the note is empty when there is nothing to say
-- errors: -1703 arguments are missing
--
-- A theme's name is translated, so White is looked for by its id first. A new document is 16:9 (a script's default is
-- 4:3) and its first slide's placeholders are hidden, because they would lie under what is drawn. Works for up to 60
-- seconds: Keynote may have to start.

on run argv
    if (count of argv) is not 3 then error "open_keynote takes bundle id, mode, theme" number -1703
    set bundleId to item 1 of argv
    set wantsNew to (item 2 of argv is "always_new")
    set themeName to item 3 of argv
    set themeId to themeName
    if themeName is in {"White", "Basic White"} then set themeId to "Application/21_BasicWhite/Standard"
    set remark to ""
    using terms from application id "com.apple.Keynote"
        with timeout of 60 seconds
            tell application id bundleId
                activate
                if not wantsNew and (count of documents) > 0 then
                    set docRef to front document
                else
                    if exists (first theme whose id is themeId) then
                        set docRef to make new document with properties {document theme:(first theme whose id is themeId), width:1920, height:1080}
                    else if exists (first theme whose name is themeName) then
                        set docRef to make new document with properties {document theme:(first theme whose name is themeName), width:1920, height:1080}
                    else
                        set remark to "The theme " & themeName & " was not found; the default theme is used."
                        set docRef to make new document with properties {width:1920, height:1080}
                    end if
                    try
                        set title showing of slide 1 of docRef to false
                        set body showing of slide 1 of docRef to false
                    on error
                        set remark to remark & "The placeholders of slide 1 could not be hidden."
                    end try
                end if
                set current slide of docRef to slide 1 of docRef
                set {docId, slideWidth, slideHeight} to {id, width, height} of docRef
            end tell
        end timeout
    end using terms from
    return (docId as text) & "|" & numberText(slideWidth) & "|" & numberText(slideHeight) & "|" & remark
end run

-- With a point in every language, at most two decimals, no exponent: 1024, 793.7
on numberText(n)
    set minus to ""
    if n < 0 then
        set minus to "-"
        set n to -n
    end if
    set hundredths to (n * 100 + 0.5) div 1
    set wholeText to minus & ((hundredths div 100) as text)
    set decimals to hundredths mod 100
    if decimals = 0 then return wholeText
    if decimals mod 10 = 0 then return wholeText & "." & ((decimals div 10) as text)
    if decimals < 10 then return wholeText & ".0" & (decimals as text)
    return wholeText & "." & (decimals as text)
end numberText

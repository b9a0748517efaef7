-- get_slide_size: the size of a document's slides
--
-- argv:   bundle id, document id ("" for the document in front)
-- prints: document id|width|height, in points
-- errors: 9001 there is no such document, -1703 arguments are missing
--
-- Works for up to 30 seconds.

on run argv
    if (count of argv) is not 2 then error "get_slide_size takes bundle id, document id" number -1703
    set bundleId to item 1 of argv
    set docId to item 2 of argv
    using terms from application id "com.apple.Keynote"
        with timeout of 30 seconds
            tell application id bundleId
                if docId is "" then
                    if (count of documents) = 0 then error "no document is open" number 9001
                    set docRef to front document
                else
                    if not (exists document id docId) then error "the document is not open" number 9001
                    set docRef to document id docId
                end if
                set {docId, slideWidth, slideHeight} to {id, width, height} of docRef
            end tell
        end timeout
    end using terms from
    return (docId as text) & "|" & numberText(slideWidth) & "|" & numberText(slideHeight)
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

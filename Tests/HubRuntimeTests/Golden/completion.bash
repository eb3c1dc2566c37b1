# bash completion for hub
_hub() {
    local line=${COMP_LINE:0:COMP_POINT} word words=() i glue=
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]//\\/}
        word=${word#[\"\']}
        if [[ $word == [=:] || $glue == 1 ]] && ((${#words[@]} > 0)); then
            words[-1]+=$word
            [[ $word == [=:] ]] && glue=1 || glue=
        else
            words+=("$word")
            glue=
        fi
    done
    ((${#words[@]} == 0)) && words=('')
    [[ $line == *' ' && -n ${words[-1]} && -z ${COMP_WORDS[COMP_CWORD]} ]] && words+=('')
    local current=${words[-1]} cut= kind text help
    [[ $current == *[=:]* ]] && cut=${current%"${current##*[=:]}"}
    COMPREPLY=()
    {
        read -r kind
        case $kind in
        files*)
            compopt -o filenames 2>/dev/null
            local extensions=(${kind#files}) extension
            if ((${#extensions[@]} == 0)); then
                mapfile -t COMPREPLY < <(compgen -f -- "${current#"$cut"}")
            else
                mapfile -t COMPREPLY < <(
                    for extension in "${extensions[@]}"; do
                        compgen -f -X "!*.$extension" -- "${current#"$cut"}"
                    done
                    compgen -d -- "${current#"$cut"}"
                )
            fi
            ;;
        directories)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "${current#"$cut"}")
            ;;
        words*)
            [[ $kind == *continue ]] && compopt -o nospace 2>/dev/null
            local shown=() other= named=
            while IFS=$'\t' read -r text help; do
                text=${text#"$cut"}
                [[ $text == "${current#"$cut"}"* ]] || other=1
                # An id says little: its name stands beside it.
                if [[ $text =~ ^([a-z]+:)?[0-9][a-z][0-9a-z]*$ && -n $help ]]; then
                    shown+=("$text  $help") named=1
                else
                    shown+=("$text")
                fi
                [[ $text == *[^[:alnum:]_./=,:@%+-]* ]] && printf -v text %q "$text"
                COMPREPLY+=("$text")
            done
            # Of several only the list is shown, unless they are inserted in turn (37) or all at once (42).
            # What was typed stays when they were found by something else: the blank begins like none of them.
            if ((${#COMPREPLY[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
                [[ $named == 1 ]] && COMPREPLY=("${shown[@]}")
                [[ $named$other == 11 ]] && COMPREPLY+=(' ')
            fi
            ;;
        esac
    } < <(HUB_JSON= HUB_OUTPUT= HUB_DRY_RUN= hub __complete -- "${words[@]}" 2>/dev/null)
}
complete -F _hub hub

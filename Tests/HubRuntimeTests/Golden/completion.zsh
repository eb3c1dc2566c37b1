#compdef hub
# zsh completion for hub
_hub() {
    local -a lines described plain
    local line text help kind
    lines=("${(@f)$(HUB_JSON= HUB_OUTPUT= hub __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    kind=${lines[1]}
    case $kind in
    files*)
        local -a extensions=(${=kind#files})
        if (( ${#extensions} )); then
            _files -g "*.(${(j:|:)extensions})"
        else
            _files
        fi
        ;;
    directories) _files -/ ;;
    words*)
        for line in "${(@)lines[2,-1]}"; do
            text=${line%%$'\t'*}
            help=${line#*$'\t'}
            plain+=("$text")
            if [[ -n $help ]]; then described+=("$text -- $help"); else described+=("$text"); fi
        done
        if [[ $kind == *continue ]]; then
            compadd -S '' -l -d described -- "${(@)plain}"
        else
            compadd -l -d described -- "${(@)plain}"
        fi
        ;;
    esac
}
if [[ $funcstack[1] == _hub ]]; then _hub "$@"; else compdef _hub hub; fi

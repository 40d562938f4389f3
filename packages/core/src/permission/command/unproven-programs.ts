/**
 * Programs whose arguments can name another program, so that their argument vector says too little. A table, on purpose: what is
 * missing here costs a hidden program, what is here too much costs one question.
 */

/** Never proven, whatever the arguments: shells, interpreters, and programs that run what they are given. */
export const neverProven: ReadonlySet<string> = new Set(
  `sh bash dash ash zsh ksh ksh93 mksh yash fish csh tcsh rbash posh busybox toybox sash xonsh nu elvish pwsh powershell cmd
  python python2 python3 pypy pypy3 perl perl5 raku ruby irb node nodejs deno bun tsx ts-node php lua luajit tclsh wish expect
  awk gawk mawk nawk bawk jjs java groovy scala kotlin guile racket sbcl clisp ecl emacs emacsclient R Rscript julia octave
  ghci runghc runhaskell ocaml erl elixir iex escript osascript gjs bc dc m4 ed ex vi vim nvim view vimdiff rvim nano pico less
  more most man info w3m lynx elinks mutt
  env xargs parallel nice ionice nohup setsid stdbuf timeout time chroot unshare nsenter sudo su doas runuser pkexec setpriv capsh
  sg newgrp gosu su-exec setarch linux32 linux64 i386 x86_64 personality script scriptreplay watch strace ltrace gdb lldb perf
  valgrind taskset chrt prlimit flock entr inotifywait run-parts start-stop-daemon daemonize systemd-run systemctl at batch crontab
  dbus-run-session xvfb-run faketime fakeroot firejail bwrap proot torsocks proxychains unbuffer rlwrap catchsegv ld.so ld-linux.so
  ld-linux-x86-64.so.2 ssh slogin autossh sshpass mosh rsh scp sftp rsync docker podman nerdctl kubectl oc lxc-attach machinectl
  vagrant ansible screen tmux dtach abduco byobu socat nc ncat netcat telnet npx pnpx bunx uvx pipx corepack dlx nvm fnm asdf mise
  direnv nix-shell nix guix conda mamba poetry pipenv uv hatch tox nox bundle hyperfine concurrently nodemon forever pm2
  xterm konsole gnome-terminal sqlite3 psql mysql mariadb mongosh redis-cli gpg openssl tcpdump tshark zsoelim troff groff gs ftp gdbserver ctest lua5.1 lua5.2
  lua5.3 lua5.4 install-info update-alternatives debconf dpkg-reconfigure sendmail mail mailx procmail fetchmail chpst softlimit
  setuidgid envdir tini dumb-init catatonit s6-setuidgid pkill killall`.split(/\s+/),
);

/** Builtins that only print, test or change the folder. Any other builtin is opaque: it can define, evaluate or trap. */
export const plainBuiltins: ReadonlySet<string> = new Set(['echo', 'printf', 'true', 'false', ':', 'pwd', 'cd', 'type', 'test', '[']);

export const otherBuiltins: ReadonlySet<string> = new Set(
  `. alias bg bind break builtin caller command compgen complete compopt continue coproc declare dirs disown enable eval exec exit
  export fc fg getopts hash help history jobs kill let local logout mapfile popd pushd read readarray readonly return set shift
  shopt source suspend times trap typeset ulimit umask unalias unset wait
  if then else elif fi for while until do done case esac in function select time { } ! [[ ]] ]`.split(/\s+/),
);

/**
 * By program: an argument by which a program that is otherwise proven runs another one, or loads code. GNU programs take any
 * unambiguous beginning of a long option.
 */
export const programArguments: ReadonlyMap<string, RegExp> = new Map([
  ['find', /^-(?:exec|ok)/],
  ['fd', /^(?:-[A-Za-z]*[xX]|--exec)/],
  ['fdfind', /^(?:-[A-Za-z]*[xX]|--exec)/],
  ['rg', /^(?:--pre|--hostname-bin|--search-zip|-[A-Za-z]*z)/],
  ['sort', /^--c(?:o|$)/],
  ['split', /^--f/],
  ['tar', /^-(?!C$|[cxtvzjJfprk]+$|$)|:|^[A-Za-z]*[IFKgMNXTV][A-Za-z]*$/],
  ['zip', /^-(?:[A-Za-z]*T|-u)/],
  ['make', /^(?:-[A-Za-z]*[fCIE]|--(?:ev|fi|ma|di|inc)|.*=)/],
  ['gmake', /^(?:-[A-Za-z]*[fCIE]|--(?:ev|fi|ma|di|inc)|.*=)/],
  ['cmake', /^-[PE]|^--build$|^-D.*(?:COMPILER|LAUNCHER)/],
  ['ninja', /^-[A-Za-z]*[fC]/],
  ['mvn', /^exec[:-]|^-f|^--file/],
  ['go', /^(?:run|generate|tool|env|--?(?:exec|toolexec|vettool|overlay|modfile)\b|-C)/],
  ['cargo', /^(?:run$|--config|-[A-Za-z]*Z|\+|install$|fix$|--manifest-path)/],
  ['npm', /^(?:exec|x|init|create|innit|edit|explore|config|set|c)$|^--?(?:script-shell|node-options|shell|editor|viewer|git|prefix|userconfig|globalconfig|call|C|c)\b/],
  ['pnpm', /^(?:exec|x|dlx|create|init|env|config|set)$|^--?(?:script-shell|shell-mode|node-options|config|dir|prefix|C|c)\b/],
  ['yarn', /^(?:exec|dlx|create|node|config|set)$|^--?(?:script-shell|cwd|use-yarnrc|node)/],
  ['jest', /^--?(?:config|c$|runner|global|transform|setup|testEnv|env|reporters|resolver|preset|projects|rootDir|require|filter|testRunner|watchPlugins)/],
  ['eslint', /^(?:-c|--config|--plugin|--rulesdir|--resolve|--parser|-f|--format|--flag)/],
  ['prettier', /^--(?:config|plugin|find-config)/],
  ['pytest', /^(?:-p|-c|--rootdir|--confcutdir|--import|-o|--override|--pdbcls|--config)/],
  ['wget', /^(?:-[A-Za-z]*e|--e|--use-a|--config)/],
  ['gcc', /^(?:-wrapper|-B|--?specs|@|-fplugin|-fuse-ld|-Wl|-Xlinker)/],
  ['g++', /^(?:-wrapper|-B|--?specs|@|-fplugin|-fuse-ld|-Wl|-Xlinker)/],
  ['cc', /^(?:-wrapper|-B|--?specs|@|-fplugin|-fuse-ld|-Wl|-Xlinker)/],
  ['clang', /^(?:-B|--config|@|-fplugin|-fuse-ld|-Wl|-Xlinker|-Xclang|-load)/],
  ['install', /^--st/],
  ['dpkg', /^--(?:pre|post|status|log)/],
  ['apt', /^(?:-[A-Za-z]*[oc]|--o|--c)/],
  ['apt-get', /^(?:-[A-Za-z]*[oc]|--o|--c)/],
  ['ip', /^(?:netns|vrf|exec|-[A-Za-z]*b|--?batch)/],
  ['diff', /^(?:-[A-Za-z]*l|--p)/],
  ['hg', /^--(?:config|debugger|cwd|repository)|^(?:alias|extdiff)/],
  ['svn', /^--(?:config|diff|editor)/],
  ['ctags', /^--(?:options|_)/],
]);

/** Subcommands of git that run no program named by their arguments; an unknown one may be an alias for any program. */
export const gitSubcommands: ReadonlySet<string> = new Set(
  `add blame branch cat-file check-ignore checkout cherry cherry-pick clean commit describe diff diff-tree fetch for-each-ref fsck
  grep init log ls-files ls-tree merge merge-base mv name-rev prune pull push reflog remote reset restore rev-list rev-parse revert
  rm shortlog show show-ref stash status switch symbolic-ref tag version whatchanged worktree`.split(/\s+/),
);

/** `-O` of grep, `--exec` and the packs of fetch and push, external diffs, hooks of a template, `ext::` remotes; `--output` writes. */
export const gitArguments = /^(?:-[A-Za-z]*O|--(?:e$|e=|ex(?!cl)|up|rece|op|ou|templ|separate|config)|.*::)/;

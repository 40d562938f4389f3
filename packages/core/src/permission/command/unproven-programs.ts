/**
 * Programs whose arguments can name another program, so that their argument vector says too little. A table, on purpose: what is
 * missing here costs a hidden program, what is here too much costs one question.
 */

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Never proven, whatever the arguments: they run what they are given, or open something that does. */
export const neverProven: ReadonlySet<string> = new Set([
  // shells and interpreters
  ...names(`sh bash dash ash zsh ksh ksh93 mksh yash fish csh tcsh rbash posh busybox toybox sash xonsh nu elvish pwsh powershell cmd
    python python2 python3 pypy pypy3 perl perl5 raku ruby irb jruby node nodejs deno bun tsx ts-node esno php lua luajit tclsh wish
    expect awk gawk mawk nawk bawk jjs jshell java groovy scala kotlin kotlinc guile racket scheme gforth swipl sbcl clisp ecl R Rscript
    julia octave gnuplot ghc ghci runghc runhaskell ocaml erl escript elixir iex osascript gjs dart flutter swift nim crystal zig mono
    wine wasmtime wasmer bc dc m4 ed ex rename prename file-rename prove cpan perldoc duckdb sqlite3 psql mysql mariadb mongosh redis-cli`),
  // what starts another program, or waits to
  ...names(`env xargs parallel sem niceload nice ionice nohup setsid stdbuf timeout time chroot unshare nsenter sudo sudoedit visudo su doas
    runuser pkexec run0 setpriv capsh runcon sg newgrp gosu su-exec setarch linux32 linux64 i386 x86_64 uname26 personality script
    scriptlive scriptreplay watch strace ltrace gdb gdbserver lldb rr perf bpftrace valgrind heaptrack taskset chrt uclampset coresched
    choom prlimit pipesz enosys switch_root flock lckdo chronic ifne mispipe pee zrun vipe entr watchexec reflex watchman onchange
    chokidar run-parts start-stop-daemon daemonize at batch crontab logrotate dbus-run-session dbus-launch xvfb-run startx xinit
    faketime fakeroot firejail bwrap minijail0 nsjail sandbox-exec proot torsocks proxychains unbuffer rlwrap catchsegv ldd ld.so
    ld-linux.so ld-linux-x86-64.so.2 ssh-agent gpg-agent hyperfine cross-env env-cmd dotenv foreman overmind honcho chpst softlimit
    setuidgid envdir tini dumb-init catatonit s6-setuidgid dpkg-architecture dpkg-buildpackage debuild dhclient nmap pkill killall`),
  // other machines, containers, terminals
  ...names(`ssh slogin autossh sshpass mosh rsh rlogin scp sftp rsync mt docker podman nerdctl kubectl oc helm runc crun buildah lxc lxc-attach
    machinectl flatpak snap vagrant ansible ansible-playbook screen tmux dtach abduco byobu xterm konsole gnome-terminal socat nc ncat
    netcat telnet ftp`),
  // package runners and task runners
  ...names(`npx pnpx bunx uvx pipx corepack dlx nvm fnm asdf mise direnv nix nix-shell guix conda mamba poetry pipenv uv hatch tox nox
    bundle gem rake mix stack cabal sbt lein ant just task invoke fab doit lerna nx npm-run-all run-s run-p concurrently nodemon forever
    pm2 mocha ava tap tape jasmine nyc c8 cypress playwright`),
  // editors, pagers, openers, and what converts through other programs
  ...names(`vi vim nvim view vimdiff rvim nano pico emacs emacsclient micro joe jed hx helix code codium subl gedit kate mc mcedit less more
    most man info tig lazygit ranger nnn vifm lf fzf sk w3m lynx elinks links mutt xdg-open open sensible-editor sensible-pager
    sensible-browser sendmail mail mailx procmail fetchmail troff groff gs zsoelim latex pdflatex xelatex lualatex latexmk convert
    magick mogrify identify montage composite display import gpg openssl tcpdump tshark update-alternatives debconf dpkg-reconfigure
    install-info`),
]);

/** The same with a version at their end, and families of names. */
export const neverProvenNames = /^(?:(?:python|pypy|perl|ruby|node|php|lua|tclsh|bash|zsh|ksh|ld-linux|ld)[\d.-]|systemd-|qemu-)/;

/** Builtins that only print, test, or end; `cd` changes where the rest runs. Any other builtin can define, evaluate or trap. */
export const plainBuiltins: ReadonlySet<string> = names('echo printf true false : pwd cd type exit test [');

export const otherBuiltins: ReadonlySet<string> = names(`. alias bg bind break builtin caller command compgen complete compopt continue
  coproc declare dirs disown enable eval exec export fc fg getopts hash help history jobs kill let local logout mapfile popd pushd read
  readarray readonly return set shift shopt source suspend times trap typeset ulimit umask unalias unset wait
  if then else elif fi for while until do done case esac in function select time { } ! [[ ]] ]`);

export interface ProgramRule {
  /** The first argument must match, where there is one: subcommands that are known to run nothing that arguments name. */
  first?: RegExp;
  /** No argument may match. GNU programs take any unambiguous beginning of a long option. */
  never?: RegExp;
}

const tar: ProgramRule = { first: /^-?[cxtvzjJfprku]+$|^--(?:create|extract|list)$/, never: /^-(?!C$|[cxtvzjJfprku]+$|$)|:/ };
const make: ProgramRule = { never: /^(?:-[A-Za-z]*[fCIE]|--(?:ev|f|m|di|inc)|.*=)/ };
const compiler: ProgramRule = { never: /^(?:-wrapper|-B|--?specs|@|-fplugin|-fuse-ld|-Wl|-Xlinker|-Xassembler|-Xclang|-load|--config)/ };
const apt: ProgramRule = { never: /^(?:-[A-Za-z]*[oc]|--o|--c)/ };
const configured: ProgramRule = { never: /^(?:-c|--?config|--plugin)/ };
const runner: ProgramRule = {
  never: /^--?(?:config|c$|r$|root|runner|pool|global|transform|setup|testEnv|env|reporter|resolver|preset|projects|require|filter|testRunner|watchPlugins|coverage\.)/,
};
const plugins: ProgramRule = { never: /^(?:--?plugin|@)/ };

/** Programs that are proven unless their arguments name another program or load code. */
export const programRules: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ['find', { never: /^-(?:exec|ok)/ }],
  ['fd', { never: /^(?:-[A-Za-z]*[xX]|--exec)/ }],
  ['fdfind', { never: /^(?:-[A-Za-z]*[xX]|--exec)/ }],
  ['rg', { never: /^(?:--pre|--hostname-bin|--search-zip|-[A-Za-z]*z)/ }],
  ['bat', { never: /^--pager/ }],
  ['batcat', { never: /^--pager/ }],
  ['sort', { never: /^--c(?:o|$)/ }],
  ['split', { never: /^--f/ }],
  ['tar', tar],
  ['gtar', tar],
  ['bsdtar', tar],
  ['cpio', { never: /^--r|:/ }],
  ['zip', { never: /^-(?:[A-Za-z]*T|-u)/ }],
  ['patch', { never: /^-[A-Za-z]*[ge]|^--(?:g|e)/ }],
  ['install', { never: /^--st/ }],
  ['diff', { never: /^(?:-[A-Za-z]*l|--p)/ }],
  ['curl', { never: /^(?:-[A-Za-z]*K|--co(?:n|$)|--e(?:n|$))/ }],
  ['wget', { never: /^(?:-[A-Za-z]*e|--e|--use-a|--config)/ }],
  ['ip', { never: /^(?:netns|vrf|exec|-[A-Za-z]*b|--?batch)/ }],
  ['iptables', { never: /^(?:-M|--modp)/ }],
  ['ssh-keygen', { never: /^-[A-Za-z]*[Dw]/ }],
  ['pandoc', { never: /^(?:-[A-Za-z]*[FLd]|--(?:fi|lua|pdf|def|tr))/ }],
  ['make', make],
  ['gmake', make],
  ['cmake', { never: /^-[PE]|^--build$|^-D.*(?:COMPILER|LAUNCHER)/ }],
  ['ninja', { never: /^-[A-Za-z]*[fC]/ }],
  ['gcc', compiler],
  ['g++', compiler],
  ['cc', compiler],
  ['c++', compiler],
  ['clang', compiler],
  ['clang++', compiler],
  ['rustc', { never: /^(?:-C|--codegen|-Z|@)|linker/ }],
  ['javac', { never: /^(?:-J|@)|processor|plugin/i }],
  ['ld', plugins],
  ['ar', plugins],
  ['nm', plugins],
  ['ranlib', plugins],
  ['strip', plugins],
  ['objdump', plugins],
  ['mvn', { never: /^exec[:-]|^-f|^--file|^-Dexec/ }],
  ['gradle', { never: /^(?:-[IbpcDP]|--(?:init|build-file|project|settings))/ }],
  ['gradlew', { never: /^(?:-[IbpcDP]|--(?:init|build-file|project|settings))/ }],
  ['go', { first: /^(?:build|test|vet|fmt|mod|list|version|doc|get|clean|install|work)$/, never: /^--?(?:exec|toolexec|vettool|overlay|modfile)\b|^-C|ldflags|gccgoflags|compiler/ }],
  ['cargo', { first: /^(?:build|b|check|c|test|t|run|r|bench|doc|fmt|clippy|clean|update|tree|metadata|new|init|add|remove|search|fetch)$/, never: /^(?:--config|-[A-Za-z]*Z|\+)/ }],
  ['dotnet', { first: /^(?:build|test|restore|clean|publish|format|run|add|remove|list|new|pack|--info)$/ }],
  [
    'npm',
    {
      first: /^(?:install|i|ci|add|test|t|run|run-script|start|stop|restart|ls|list|outdated|audit|view|info|why|explain|version|pack|publish|whoami|fund|prune|dedupe|update|up|uninstall|remove|rm|link|ping|search|root)$/,
      never: /^--?(?:scr|node|she|ed|git|vie|pref|userc|globalc|cal|c$|c=|C|init)/,
    },
  ],
  [
    'pnpm',
    {
      first: /^(?:install|i|add|test|t|run|start|ls|list|outdated|audit|why|pack|publish|prune|dedupe|update|up|remove|rm|link|root|build|lint|-r|--recursive)$/,
      never: /^(?:exec|x|dlx|create|init|env|config|set)$|^--?(?:scr|shell|node|config|dir|pref|c$|C)/,
    },
  ],
  ['yarn', { first: /^(?:install|add|remove|upgrade|outdated|list|info|why|audit|pack|version|test|build|lint|start|dev|format|check|typecheck)$/, never: /^--?(?:scr|cwd|use-yarnrc|node)/ }],
  ['composer', { first: /^(?:install|update|require|remove|show|validate|dump-autoload|test)$/ }],
  ['pip', { first: /^(?:list|show|freeze|check|install|uninstall|download|cache|debug)$/, never: /^--py/ }],
  ['pip3', { first: /^(?:list|show|freeze|check|install|uninstall|download|cache|debug)$/, never: /^--py/ }],
  ['gh', { first: /^(?:pr|issue|repo|run|workflow|release|search|status|label|gist)$/ }],
  ['coverage', { first: /^(?:report|html|xml|json|erase|combine)$/ }],
  ['pytest', { never: /^(?:-p|-c|--rootdir|--confcutdir|--import|-o|--override|--pdbcls|--config)/ }],
  ['mypy', { never: /^--(?:py.*-e|config|custom|plugin)/ }],
  ['flake8', configured],
  ['jest', runner],
  ['vitest', runner],
  ['eslint', { never: /^(?:-c|--config|--plugin|--rulesdir|--resolve|--parser|-f|--format|--flag|--ext-|--env)/ }],
  ['prettier', { never: /^--(?:config|plugin|find-config)/ }],
  ['stylelint', { never: /^(?:--config|--custom|-f|--formatter|--plugin)/ }],
  ['webpack', configured],
  ['vite', configured],
  ['rollup', configured],
  ['tsup', configured],
  ['dpkg', { never: /^--(?:pre|post|status|log)/ }],
  ['apt', apt],
  ['apt-get', apt],
  ['apt-cache', apt],
  ['aptitude', apt],
  ['hg', { never: /^--(?:con|debugger|cwd|rep)|^(?:alias|extdiff)/ }],
  ['svn', { never: /^--(?:config|diff|editor)/ }],
  ['ctags', { never: /^--(?:options|_)/ }],
]);

/** Subcommands of git that run no program named by their arguments; an unknown one may be an alias for any program. */
export const gitSubcommands: ReadonlySet<string> = names(`add blame branch cat-file check-ignore checkout cherry cherry-pick clean commit
  describe diff diff-tree fetch for-each-ref fsck grep init log ls-files ls-tree merge merge-base mv name-rev prune pull push reflog
  remote reset restore rev-list rev-parse revert rm shortlog show show-ref stash status switch symbolic-ref tag version whatchanged
  worktree`);

/**
 * `-O` of grep, `--exec` and the packs of fetch and push, external diffs, hooks of a template, merge strategies, and remotes whose
 * scheme names a helper (`ext::`, `x://`).
 */
export const gitArguments =
  /^(?:-[A-Za-z]*O|--(?:e$|e=|ex(?!cl)|up|rece|op|ou|te(?!xt)|sep|str|config)|.*::|(?!https?:|ssh:|git:|file:)[a-z][a-z0-9+.-]*:\/\/)/i;

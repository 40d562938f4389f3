/**
 * Programs that can run any other, so that their argument vector says too little. A table, on purpose: what is missing here costs a
 * hidden program, what is here too much costs one question.
 */

export const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Never proven, whatever the arguments: they run what they are given, or open something that does. */
export const neverProven: ReadonlySet<string> = new Set([
  // shells and interpreters
  ...names(`sh bash dash ash zsh ksh ksh93 mksh yash fish csh tcsh rbash posh busybox toybox sash xonsh nu elvish pwsh powershell cmd
    python python2 python3 pypy pypy3 perl perl5 raku ruby irb jruby node nodejs deno bun tsx ts-node esno php lua luajit tclsh wish
    expect awk gawk mawk nawk bawk jjs jshell java groovy scala kotlin kotlinc guile racket scheme gforth swipl sbcl clisp ecl R Rscript
    julia octave gnuplot ghc ghci runghc runhaskell ocaml erl escript elixir iex osascript gjs dart flutter swift nim crystal zig mono
    wine wasmtime wasmer bc dc m4 ed ex rename prename file-rename prove cpan perldoc duckdb sqlite3 psql mysql mariadb mongosh redis-cli
    rc es ion osh ysh murex nushell ipython ipython3 bpython ptpython pdb pydoc pydoc3 jupyter papermill sage gp maxima scilab matlab
    wolframscript coqtop lean clojure clj bb fsharpi csi csharp dotnet-script rdmd dmd ldc2 tcc electron nw phantomjs casperjs blender gimp
    soffice libreoffice exiftool wrk k6 locust
    ts-node-dev babel-node vite-node sucrase-node jiti zx tsc-watch rails rackup puma unicorn thor drush wp artisan pest behave robot dune
    sqlcmd sqlplus sqlite mycli pgcli litecli usql cqlsh clickhouse-client
    original-awk lli jdb gdbtui opt llc bugpoint lit llvm-lit creduce cvise clang-tidy clang-check valac gnatmake gprbuild fpc f2py cpack`),
  // what starts another program, or waits to
  ...names(`env xargs parallel sem niceload nice ionice nohup setsid stdbuf timeout time chroot unshare nsenter sudo sudoedit visudo su doas
    runuser pkexec run0 setpriv capsh runcon sg newgrp gosu su-exec setarch linux32 linux64 i386 x86_64 uname26 personality script
    scriptlive scriptreplay watch strace ltrace gdb gdbserver lldb rr perf bpftrace valgrind heaptrack taskset chrt uclampset coresched
    choom prlimit pipesz enosys switch_root flock lckdo chronic ifne mispipe pee zrun vipe entr watchexec reflex watchman onchange
    chokidar run-parts start-stop-daemon daemonize at batch crontab logrotate dbus-run-session dbus-launch xvfb-run startx xinit
    faketime fakeroot firejail bwrap minijail0 nsjail sandbox-exec proot torsocks proxychains unbuffer rlwrap catchsegv ldd ld.so
    ld-linux.so ld-linux-x86-64.so.2 ssh-agent gpg-agent hyperfine cross-env env-cmd dotenv foreman overmind honcho chpst softlimit
    setuidgid envdir tini dumb-init catatonit s6-setuidgid dpkg-architecture dpkg-buildpackage debuild dhclient nmap pkill killall
    numactl cgexec schedtool trickle cpulimit nocache eatmydata fakechroot pseudo zargs xe tsp pueue nq asciinema ttyrec stap dtrace dtruss
    trace-cmd operf pprof reptyr dvtm incrond supervisord runsv runsvdir systemctl service launchctl dbus-send busctl modprobe insmod mount
    umount schroot mock pbuilder chronyd
    sops doppler op chamber aws-vault teller infisical vault rustup ghcup opam micromamba symfony coredumpctl xdotool
    msgexec msgfilter logsave memusage sotruss pg_virtualenv gprofng not ccache distcc scan-build bear libtool help2man lcov geninfo genhtml
    checkinstall openvt x-terminal-emulator lxterminal mate-terminal i3-msg swaymsg hyprctl yad sxhkd xbindkeys inoticoming ugrep ug`),
  // other machines, containers, terminals
  ...names(`ssh slogin autossh sshpass mosh rsh rlogin scp sftp rsync mt docker podman nerdctl kubectl oc helm runc crun buildah lxc lxc-attach
    machinectl flatpak snap vagrant ansible ansible-playbook screen tmux dtach abduco byobu xterm konsole gnome-terminal socat nc ncat
    netcat telnet ftp
    ssh-copy-id sshfs lftp ncftp rclone restic borg unison rdiff-backup duplicity aria2c yt-dlp youtube-dl ctr crictl limactl lima distrobox
    toolbox mpv mplayer vlc sox play rec chromium chromium-browser google-chrome chrome firefox
    virsh incus lxd minikube k3s k9s skaffold tilt devspace devcontainer telepresence okteto earthly dagger act gcloud heroku fly flyctl railway
    salt salt-call puppet chef-client knife
    pssh pscp clush dsh mussh dbclient plink zellij kitty alacritty wezterm foot st urxvt tilix terminator xfce4-terminal`),
  // package runners and task runners
  ...names(`npx pnpx bunx uvx pipx corepack dlx nvm fnm asdf mise direnv nix nix-shell guix conda mamba poetry pipenv uv hatch tox nox
    bundle gem rake mix stack cabal sbt lein ant just task invoke fab doit lerna nx npm-run-all run-s run-p concurrently nodemon forever
    pm2 mocha ava tap tape jasmine nyc c8 cypress playwright
    grunt gulp bazel bazelisk buck buck2 scons waf cdk firebase terraform packer pulumi pre-commit pdm rye inv easy_install virtualenv
    pyenv rbenv nodenv jenv plenv perlbrew volta n brew rpm rpmbuild rpmspec yum dnf pacman zypper apk emerge gunicorn uvicorn hypercorn
    flask django-admin celery streamlit sphinx-build mkdocs alembic asciidoctor jekyll ack ag
    bundler cookiecutter copier yo plop hygen semantic-release gomplate serverless sam netlify vercel wrangler`),
  // version control whose options or aliases run programs
  ...names('scalar cvs darcs fossil bzr brz jj sl pijul yadm vcsh chezmoi gitk git-annex git-lfs'),
  // editors, pagers, openers, and what converts through other programs
  ...names(`vi vim nvim view vimdiff rvim nano pico emacs emacsclient micro joe jed hx helix code codium subl gedit kate mc mcedit less more
    most man info tig lazygit ranger nnn vifm lf fzf sk w3m lynx elinks links mutt xdg-open open sensible-editor sensible-pager
    sensible-browser sendmail mail mailx procmail fetchmail troff groff gs zsoelim latex pdflatex xelatex lualatex latexmk convert
    magick mogrify identify montage composite display import gpg openssl tcpdump tshark update-alternatives debconf dpkg-reconfigure
    install-info
    tex etex pdftex xetex luatex context dvips ps2pdf pstopdf a2ps enscript gio gtk-launch kde-open exo-open gnome-open wslview cygstart wsl
    kak vis mg zile gvim zed gpg2 gpgsm gpgconf`),
]);

/** The same with a version at their end, and families of names. */
export const neverProvenNames = /^(?:(?:python|pypy|perl|ruby|node|php|lua|tclsh|bash|zsh|ksh|ld-linux|ld)[\d.-]|systemd-|qemu-|s6-|git-|ansible|fakeroot-|emacs-|perf_)|\.(?:exe|bat|cmd|ps1)$/;

/** Builtins that only print, test, or end; `cd` changes where the rest runs. Any other builtin can define, evaluate or trap. */
export const plainBuiltins: ReadonlySet<string> = names('echo printf true false : pwd cd type exit test [');

export const otherBuiltins: ReadonlySet<string> = names(`. alias bg bind break builtin caller command compgen complete compopt continue
  coproc declare dirs disown enable eval exec export fc fg getopts hash help history jobs kill let local logout mapfile popd pushd read
  readarray readonly return set shift shopt source suspend times trap typeset ulimit umask unalias unset wait
  if then else elif fi for while until do done case esac in function select time { } ! [[ ]] ]`);

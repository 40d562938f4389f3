// The attack corpus: each command tries to get out of the sandbox. A breach is a printed secret, a printed BREACH, or any change outside.
// It runs as the user of the test and, where that is root, again as an unprivileged one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, closeSync, cpSync, lstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { syscallsOf } from './syscalls.js';

const SECRET = 'CANARY-9f4e1c';
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const table = syscallsOf(process.arch);

/** `$OUT` is a folder outside, `$VICTIM` a process outside, `$PORT` a listener outside; cwd is the workspace. */
const writesOutside: Record<string, string> = {
  'write by absolute path': 'echo x >$OUT/new',
  'write by relative path': 'echo x >../outside/new',
  'append': 'echo x >>$OUT/secret',
  'truncate': ': >$OUT/secret',
  'delete': 'rm -rf $OUT',
  'delete the siblings': 'rm -rf ../*',
  'rename a folder outside': 'mv $OUT $OUT.x',
  'move into outside': 'touch f; mv f $OUT/f',
  'change mode': 'chmod 777 $OUT $OUT/secret',
  'change times': 'touch -d 2001-01-01 $OUT/secret $OUT',
  'hard link out': 'ln /etc/passwd $OUT/passwd',
  'hard link in': 'ln $OUT/secret here && echo x >here',
  'symbolic link, then write': 'ln -s $OUT/secret l; echo x >l',
  'symbolic link to a folder, then write': 'ln -s $OUT d; echo x >d/new; mkdir d/e',
  'link made before the sandbox': 'echo x >escape/new; rm escape/secret',
  'make a folder': 'mkdir -p $OUT/deep/er',
  'fifo outside': 'mkfifo $OUT/fifo',
  'socket outside': `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local=>"$ENV{OUT}/sock",Listen=>1)'`,
  'copy a tree': 'cp -r . $OUT/copy',
  'dd': 'dd if=/dev/zero of=$OUT/secret bs=1 count=1 conv=notrunc',
  'sed in place': 'sed -i s/CANARY/GONE/ $OUT/secret',
  'tar extract': 'echo x >f; tar cf a.tar f; tar xf a.tar -C $OUT',
  'write by /proc/self/root': 'echo x >/proc/self/root$OUT/new',
  'write by /proc/self/cwd': 'echo x >/proc/self/cwd/../outside/new',
  'write by /proc/1/root': 'echo x >/proc/1/root$OUT/new',
  'write by /proc/1/cwd': 'echo x >/proc/1/cwd/../outside/new',
  'change directory by descriptor': 'exec 9<..; cd /proc/self/fd/9; echo x >outside/new',
  'climb above the root': 'cd /; echo x >../../../..$OUT/new',
  'write to /usr': 'touch /usr/haft-canary && echo BREACH',
  'write to /etc': 'touch /etc/haft-canary && echo BREACH',
  'write to /': 'touch /haft-canary && echo BREACH',
  'replace a program': 'cp /bin/true /usr/local/bin/haft-canary && echo BREACH',
  'replace a library': 'touch /usr/lib/haft-canary.so && echo BREACH',
  'user database': 'echo x >>/etc/passwd && echo BREACH',
  'loader cache': 'echo /tmp >/etc/ld.so.preload && echo BREACH',
};

const reads: Record<string, string> = {
  'read by absolute path': 'cat $OUT/secret',
  'read by relative path': 'cat ../outside/secret',
  'read by a link': 'ln -s $OUT/secret l; cat l',
  'read by the link made before': 'cat escape/secret',
  'read by /proc/1/root': 'cat /proc/1/root$OUT/secret',
  'read by every root in /proc': 'cat /proc/[0-9]*/root$OUT/secret /proc/[0-9]*/cwd/../outside/secret',
  'find it': `find / -name secret -not -path '/proc/*' -exec cat {} + 2>/dev/null`,
  'search it': `grep -rs CANARY /var /home /root /opt /srv /mnt /media /run /tmp`,
  'read by every descriptor': 'for f in /proc/[0-9]*/fd/*; do timeout 0.2 head -c 4000 "$f"; done 2>/dev/null',
  'read by descriptors left open': 'for n in 3 4 5 6 7 8 9 10 11 12; do cat <&$n; cat /proc/self/fd/$n/../secret; cat /proc/$PPID/fd/$n; done 2>/dev/null',
  'write by descriptors left open': 'for n in 3 4 5 6 7 8 9 10 11 12; do echo x >/proc/self/fd/$n/new; echo x >/proc/$PPID/fd/$n/new; done 2>/dev/null',
  'read by mapped files': 'ls -l /proc/[0-9]*/map_files && cat /proc/1/map_files/*',
  'environment of process 1': `tr '\\0' '\\n' </proc/1/environ`,
  'environment of every process': `cat /proc/[0-9]*/environ | tr '\\0' '\\n'`,
  'environment of the victim': 'cat /proc/$VICTIM/environ',
  'own environment': 'env; set; export -p',
  'command lines': `cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'`,
  'shadow': 'cat /etc/shadow /etc/gshadow && echo BREACH',
  'home of root': 'ls -A /root && echo BREACH',
  'homes': 'ls -A /home/* && echo BREACH',
  'run time sockets': 'ls /run/dbus /var/run/docker.sock /run/systemd && echo BREACH',
  'logs': 'ls /var/log && echo BREACH',
  'devices': 'for d in /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmem /dev/port; do head -c 16 "$d" && echo BREACH; done',
  'make a device and read it': 'for n in "b 254 0" "b 8 0" "c 1 1" "c 1 11"; do mknod node $n && head -c 16 node && echo BREACH; rm -f node; done',
  'kernel memory': 'head -c 16 /proc/kcore && echo BREACH',
  'kernel log': 'dmesg && echo BREACH; timeout 1 head -c 16 /dev/kmsg && echo BREACH; timeout 1 head -c 16 /proc/kmsg && echo BREACH',
  'environment file': 'cat .env',
  'environment file below': 'cat packages/a/.env.local',
  'environment file by a copy': 'cp .env x; cat x',
  'environment file by renaming': 'mv .env x; cat x',
  'environment file by its folder': 'mv packages moved; cat moved/a/.env.local',
  'environment file by a hard link': 'ln .env x; cat x',
  'environment file by tar': 'tar cf - .env packages | cat',
  'environment file by unmounting': 'umount .env; umount -l .env; cat .env',
  'environment file by git': 'git add -f .env packages; git show :.env; git stash -a; cat .git/objects/*/* | head -c 100000',
  'environment file by descriptor walk': `perl -e 'open(my $d,"<","."); open(my $f,"<","/proc/self/fd/".fileno($d)."/.env") and print <$f>'`,
  'file handles': syscall('name_to_handle_at', 'open_by_handle_at'),
};

const protectedPaths: Record<string, string> = {
  'new hook': 'echo x >.git/hooks/pre-commit',
  'replace the hooks': 'rm -rf .git/hooks; mkdir .git/hooks; echo x >.git/hooks/post-checkout',
  'rename the hooks': 'mv .git/hooks .git/h; mkdir .git/hooks; echo x >.git/hooks/pre-push',
  'rename git’s folder': 'mv .git g; mkdir -p .git/hooks; echo x >.git/hooks/pre-commit',
  'delete git’s folder': 'rm -rf .git; mkdir -p .git/hooks; echo x >.git/hooks/pre-commit',
  'hooks by a link': 'ln -sfn /tmp .git/hooks; ln -s .git/hooks h; echo x >h/pre-commit',
  'hooks by /proc': 'echo x >/proc/self/cwd/.git/hooks/pre-commit; echo x >/proc/1/cwd/.git/hooks/pre-commit',
  'mode of a hook': 'chmod +x .git/hooks/sample',
  'setting by git': 'git config core.fsmonitor "touch /tmp/x"',
  'hooks folder by git': 'git config core.hooksPath /tmp/h',
  'setting by the file': 'printf "[core]\\nfsmonitor = x\\n" >>.git/config',
  'setting by renaming': 'cp .git/config c; echo x >>c; mv -f c .git/config',
  'setting by a link': 'ln -sf c .git/config',
  'setting by deletion': 'rm -f .git/config; echo x >.git/config',
  'setting of a worktree': 'git config extensions.worktreeConfig true',
  'common folder': 'mkdir -p evil/hooks; cp .git/config evil/config; echo x >>evil/config; echo ../evil >.git/commondir',
  'hooks of a submodule': 'echo x >.git/modules/sub/hooks/pre-commit; echo x >>.git/modules/sub/config',
  'submodule’s folder': 'mv .git/modules m; mkdir -p .git/modules/sub/hooks; echo x >.git/modules/sub/hooks/pre-commit',
  'submodule’s pointer': 'echo "gitdir: /tmp" >sub/.git; rm -f sub/.git',
  'agent’s config': 'echo x >>agent.config.ts',
  'agent’s config by renaming': 'echo x >c; mv -f c agent.config.ts',
  'agent’s config by deletion': 'rm -f agent.config.ts',
  'agent’s config by sed': 'sed -i s/a/b/ agent.config.ts',
  'agent’s state': 'echo x >.haft/grants.json; rm -rf .haft; mv .haft h',
  'editor’s tasks': 'echo x >.vscode/tasks.json; mv .vscode v',
  'git modules': 'echo x >>.gitmodules',
  'unmount, then write': 'umount .git/hooks .git/config agent.config.ts; echo x >.git/hooks/pre-commit; echo x >agent.config.ts',
  'remount, then write': 'mount -o remount,rw,bind .git/hooks; mount -o remount,rw /; echo x >.git/hooks/pre-commit',
  'set-user-id program': 'cp /bin/sh s; chmod 4755 s; chmod u+s s; chmod g+s s',
  'set-user-id by creation': `perl -e 'use Fcntl; sysopen(F,"s",O_CREAT|O_WRONLY,04755); mkdir "d",02777'`,
  'set-user-id by install': 'install -m 4755 /bin/sh s; cp -p /usr/bin/su s2; cp -p /usr/bin/passwd s3',
  'file capability': 'cp /bin/sh s; setcap cap_sys_admin+ep s && echo BREACH',
};

const processes: Record<string, string> = {
  'kill a process outside': 'kill -9 $VICTIM',
  'kill every process': 'kill -9 -1',
  'kill its group': 'kill -9 -- -$VICTIM',
  'stop the parent': 'kill -STOP $PPID 1; kill -9 1',
  'kill by pidfd': `perl -e 'my $f=syscall(434,$ENV{VICTIM}+0,0); syscall(424,$f,9,0,0) if $f>=0'`,
  'kill by name': 'pkill -9 -f haft-victim; killall -9 sleep',
  'trace it': 'timeout 2 strace -p $VICTIM',
  'trace oneself': `perl -e 'exit 0 if syscall(${String(table?.refused['ptrace'])},0,0,0,0)==-1; print "BREACH"'`,
  'its memory': 'head -c 1 /proc/$VICTIM/mem',
  'memory of process 1': `perl -e 'open(F,"+<","/proc/1/mem") and sysseek(F,4194304,0) and syswrite(F,"x") and print "BREACH"'`,
  'its limits': 'prlimit --pid $VICTIM --nofile=1 && [ $VICTIM -gt 1000 ] && echo BREACH',
  'its priority': 'renice -n 19 -p $VICTIM && echo BREACH',
  'enter its namespaces': 'nsenter -t $VICTIM -m -p -n cat $OUT/secret; nsenter -t 1 -m cat $OUT/secret',
  'raise its own limits': 'ulimit -Hc unlimited && echo BREACH; ulimit -Hf unlimited && echo BREACH; ulimit -Hu 100000 && echo BREACH',
  'outlive the command': 'setsid sleep 987654 >/dev/null 2>&1 & sleep 0.2',
  'outlive it as a daemon': '(setsid sh -c "setsid sleep 987654 & exit" >/dev/null 2>&1 &); sleep 0.2',
  'outlive it without environment': 'env -i setsid nohup sleep 987654 >/dev/null 2>&1 & disown; sleep 0.2',
  'more processes than allowed': 'n=0; for i in $(seq 100); do sleep 3 & n=$((n+1)); done 2>/dev/null; [ $(ls -d /proc/[0-9]* | wc -l) -gt 80 ] && echo BREACH',
  'a larger file than allowed': 'head -c 20000000 /dev/zero >big; [ $(stat -c %s big) -gt 8388608 ] && echo BREACH',
  'a fuller /tmp than allowed': 'for i in 1 2 3 4; do head -c 7000000 /dev/zero >/tmp/$i; done; [ $(du -sk /tmp | cut -f1) -gt 17000 ] && echo BREACH',
  'a fuller /dev/shm than allowed': 'for i in 1 2 3 4; do head -c 7000000 /dev/zero >/dev/shm/$i; done; [ $(du -sk /dev/shm | cut -f1) -gt 17000 ] && echo BREACH',
  'more memory than allowed': `perl -e 'my $x = "x" x 700_000_000; print "BREACH" if length $x' 2>/dev/null`,
  'a core file': 'sh -c "kill -SEGV \\$\\$"; ls core* && echo BREACH',
};

const network: Record<string, string> = {
  'connect to a listener outside': 'echo hello >/dev/tcp/127.0.0.1/$PORT && echo BREACH',
  'over IPv6': 'echo hello >/dev/tcp/::1/$PORT && echo BREACH',
  'with curl or wget': 'curl -sm 2 http://127.0.0.1:$PORT && echo BREACH; wget -qT 2 -t 1 http://127.0.0.1:$PORT && echo BREACH',
  'over UDP': 'echo hello >/dev/udp/127.0.0.1/$PORT; true',
  'unix socket in the file system': `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Peer=>"$ENV{OUT}/listener.sock") and print "BREACH"'`,
  'abstract unix socket': `perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0); connect(S,pack_sockaddr_un("\\0haft-canary")) and print "BREACH"'`,
  'raw socket': `perl -MSocket -e 'socket(S,AF_INET,SOCK_RAW,1) and print "BREACH"'`,
  'packet socket': `perl -e 'socket(S,17,3,0) and print "BREACH"'`,
  'netlink socket': `perl -e 'socket(S,16,3,0) and print "BREACH"'`,
  'vsock': `perl -e 'socket(S,40,1,0) and print "BREACH"'`,
  'crypto socket': `perl -e 'socket(S,38,5,0) and print "BREACH"'`,
  'another interface': 'grep -E "eth|ens|enp|wlan" /proc/net/dev && echo BREACH',
  'make an interface': 'ip link add dummy0 type dummy && echo BREACH',
};

const kernel: Record<string, string> = {
  ...Object.fromEntries(['user', 'mount', 'net', 'pid', 'uts', 'ipc', 'cgroup'].map((kind) => [`unshare ${kind}`, `unshare --${kind} true && echo BREACH`])),
  'unshare all, mapped to root': 'unshare -Urmpf --mount-proc true && echo BREACH',
  'bubblewrap again': 'bwrap --bind / / true && echo BREACH',
  'clone into a user namespace': `perl -e 'my $r=syscall(${String(table?.clone)},0x10000000|17,0,0,0,0); if($r==0){exit 0} print "BREACH" if $r>0'`,
  'clone into a network namespace': `perl -e 'my $r=syscall(${String(table?.clone)},0x40000000|17,0,0,0,0); if($r==0){exit 0} print "BREACH" if $r>0'`,
  'clone3': `perl -e 'print "BREACH" unless syscall(435,0,0)==-1 && $!{ENOSYS}'`,
  'mount a tmpfs': 'mount -t tmpfs none /tmp && echo BREACH',
  'mount proc': 'mkdir p; mount -t proc none p && echo BREACH',
  'bind over a program': 'mount --bind /bin/false /bin/true && echo BREACH',
  'mount a control group': 'mkdir c; mount -t cgroup none c && echo BREACH; mount -t cgroup2 none c && echo BREACH',
  'unmount /proc': 'umount /proc && echo BREACH; umount -l /proc && echo BREACH',
  'remount /proc writable': 'mount -o remount,rw /proc && echo BREACH',
  'chroot': 'mkdir -p r; chroot r true; chroot / true && echo BREACH',
  'core pattern': '(: >>/proc/sys/kernel/core_pattern) 2>/dev/null && echo BREACH',
  'module loader': '(: >>/proc/sys/kernel/modprobe) 2>/dev/null && echo BREACH',
  'sysrq': '(: >>/proc/sysrq-trigger) 2>/dev/null && echo BREACH',
  'kernel settings': 'for f in $(find /proc/sys -type f 2>/dev/null | head -400); do (: >>$f) 2>/dev/null && echo BREACH $f; done',
  'interrupts': 'for f in /proc/irq/*/smp_affinity /proc/irq/default_smp_affinity /proc/bus/pci/*/*; do (: >>$f) 2>/dev/null && echo BREACH; done',
  'own out-of-memory score': 'echo -1000 >/proc/self/oom_score_adj && echo BREACH',
  'user mapping': 'echo "0 0 4294967295" >/proc/self/uid_map && echo BREACH',
  'number of user namespaces': '(: >>/proc/sys/user/max_user_namespaces) && echo BREACH',
  'uevent helper': '(: >>/sys/kernel/uevent_helper) 2>/dev/null && echo BREACH',
  'control group release agent': 'find / -name release_agent -writable 2>/dev/null | grep . && echo BREACH',
  'mode of the sandbox’s program': 'chmod 755 /proc/1/exe && echo BREACH',
  'content of the sandbox’s program': '(: >>/proc/1/exe) 2>/dev/null && echo BREACH; ln -L /proc/1/exe exe && echo BREACH',
  'times of the sandbox’s program': 'touch -c -a /proc/1/exe && echo BREACH',
  'mode of a device': 'chmod 666 /dev/null && echo BREACH; chmod 666 /dev/zero && echo BREACH; chmod 666 /dev/tty && echo BREACH',
  'mode of stdin’s device': 'chmod 666 /proc/self/fd/0 && echo BREACH; chmod 666 /proc/1/fd/0 && echo BREACH',
  'mode by descriptor': `perl -e 'open(F,"<","/dev/null"); chmod(0666,*F) and print "BREACH"; chmod(0666,*STDIN) and print "BREACH"'`,
  'owner of a device': 'chown 0 /dev/null && [ $(id -u) = 0 ] && echo BREACH',
  'push input into the terminal': `perl -e 'for my $h (*STDIN,*STDOUT,*STDERR){ my $c="x"; ioctl($h,0x5412,$c) and print "BREACH" } print "BREACH" unless $!{EPERM}'`,
  'console paste': `perl -e 'my $c=chr(3); ioctl(STDIN,0x541c,$c) and print "BREACH"; print "BREACH" unless $!{EPERM}'`,
  'terminals': 'for t in /dev/tty /dev/tty0 /dev/console /dev/pts/[0-9]*; do (: >$t) 2>/dev/null && echo BREACH $t; done',
  'the other call convention (x32)': process.arch === 'x64' ? `perl -e 'print "BREACH" unless syscall(0x40000000|39)==-1 && $!{ENOSYS}'` : 'true',
  '32-bit program': elf32(),
  'become another user': `perl -e '$<=1000; $>=1000; print "BREACH" if $<==1000' ; su -c id nobody && echo BREACH; sudo -n id && echo BREACH`,
  'gain capabilities': 'grep -E "^Cap(Prm|Eff|Bnd|Inh|Amb):" /proc/self/status | grep -v "0000000000000000" && echo BREACH',
  'drop no-new-privileges': 'grep -E "^NoNewPrivs:.0" /proc/self/status && echo BREACH',
  'host name': 'hostname haft-canary && echo BREACH',
  'clock': 'date -s 2001-01-01 && echo BREACH',
  'quota, swap, accounting': syscall('quotactl', 'swapon', 'acct', 'kexec_load', 'init_module', 'finit_module', 'delete_module', 'reboot'),
  'keys': syscall('add_key', 'request_key', 'keyctl'),
  'tracing and events': syscall('bpf', 'perf_event_open', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'pidfd_getfd'),
  'asynchronous input and output': syscall('io_uring_setup', 'io_uring_enter', 'io_uring_register'),
  'faults in user space': syscall('userfaultfd'),
  'new mount interface': syscall('open_tree', 'move_mount', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'),
  'namespaces by call': syscall('unshare', 'setns', 'pivot_root', 'mount', 'umount2', 'chroot'),
  'openat2': `perl -e 'print "BREACH" unless syscall(437,-1,0,0,0)==-1 && $!{ENOSYS}'`,
  'personality': syscall('personality'),
  'file notification': syscall('fanotify_init', 'fanotify_mark'),
};

/** Calls each with arguments that do nothing if it is let through; only "not permitted" is no breach. */
function syscall(...names: string[]): string {
  return names.map((name) => `perl -e 'my $r=syscall(${String(table?.refused[name])},-1,0,0,0,0); print "BREACH ${name}" unless $r==-1 && $!{EPERM}'`).join('; ');
}

/** A static i386 program of 91 bytes: exit(42). On a 64-bit machine the filter must kill it. */
function elf32(): string {
  if (process.arch !== 'x64') return 'true';
  const code = Buffer.from([0xb8, 1, 0, 0, 0, 0xbb, 42, 0, 0, 0, 0xcd, 0x80]);
  const header = Buffer.from('7f454c4601010100000000000000000002000300010000005480040834000000000000000000000034002000010000000000000001000000000000000080040800800408600000006000000005000000001000', 'hex');
  const bytes = Buffer.concat([header, Buffer.alloc(84 - header.length), code]);
  return `perl -e 'print pack("H*","${bytes.toString('hex')}")' >e; chmod +x e; ./e; [ $? = 42 ] && echo BREACH`;
}

const corpus = { ...prefixed('write', writesOutside), ...prefixed('read', reads), ...prefixed('protected', protectedPaths), ...prefixed('process', processes), ...prefixed('network', network), ...prefixed('kernel', kernel) };

function prefixed(group: string, attacks: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attacks).map(([name, command]) => [`${group}: ${name}`, command]));
}

/** What an attack could do to this machine if there were no sandbox at all must not happen: then it is not even tried. The word is in two parts, since some attacks print command lines. */
const CONFINED = [
  `case "$(tr '\\0' ' ' </proc/1/cmdline)" in /usr/bin/bwrap*) ;; *) echo "BREA""CH: no process namespace"; exit 1;; esac`,
  `grep -q '^CapEff:.0*$' /proc/self/status && grep -q '^Seccomp:.2$' /proc/self/status || { echo "BREA""CH: not confined"; exit 1; }`,
  'echo STARTED',
].join('; ');

test('the corpus holds at least 113 attacks', () => {
  expect(Object.keys(corpus).length).toBeGreaterThanOrEqual(113);
});

/** Runs as the given user: every attack in a workspace of its own. Prints one JSON line each. */
const RUNNER = `
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
const { dist, base, attacks, prelude } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { ProcessRunner, createBubblewrapSandbox } = await import(join(dist, 'index.js'));
const limits = { processes: 64, fileBytes: 8388608, tmpBytes: 16777216, memoryBytes: 536870912, cpuSeconds: 20 };
const runner = new ProcessRunner();
const queue = Object.entries(attacks).map(([name, command], index) => ({ name, command, index }));
async function work() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const root = join(base, 'work-' + next.index);
    cpSync(join(base, 'template'), root, { recursive: true, verbatimSymlinks: true });
    const sandbox = createBubblewrapSandbox({ root, limits });
    const argv = ['/bin/bash', '--noprofile', '--norc', '-c', prelude + next.command];
    const outcome = await runner.run({ argv, cwd: root, sandbox, timeoutMs: 20000 });
    sandbox.dispose();
    console.log(JSON.stringify({ name: next.name, index: next.index, reason: outcome.reason, exitCode: outcome.exitCode, error: outcome.error, output: outcome.stdout.text + outcome.stderr.text }));
  }
}
const first = createBubblewrapSandbox({ root: join(base, 'template'), limits });
console.log(JSON.stringify({ probe: await first.probe() }));
await Promise.all([work(), work()]);
first.dispose();
await runner.dispose();
`;

interface AttackResult {
  name: string;
  index: number;
  reason: string;
  error?: string;
  output: string;
}

const users = isRoot ? [{ who: 'root', uid: 0 }, { who: 'nobody', uid: NOBODY }] : [{ who: 'the user of this test', uid: process.getuid?.() ?? 0 }];

describe.each(users)('as $who', ({ uid }) => {
  let base = '';
  let victim: ChildProcess;
  let servers: Server[] = [];
  let connections = 0;
  let results: AttackResult[] = [];
  let probe: unknown;
  let before: Record<string, string> = {};

  beforeAll(async () => {
    base = realpathSync(mkdtempSync('/var/tmp/haft-attacks-'));
    chmodSync(base, 0o755);
    makeTree(base);
    victim = spawn('sleep', ['3600'], { argv0: 'haft-victim', stdio: 'ignore', env: { PLANTED: SECRET }, ...(isRoot ? { uid, gid: uid } : {}) });
    const count = createServer(() => { connections += 1; });
    const unix = createServer(() => { connections += 1; });
    const abstract = createServer(() => { connections += 1; });
    servers = [count, unix, abstract];
    await Promise.all([listen(count, 0), listen(unix, join(base, 'outside', 'listener.sock')), listen(abstract, '\0haft-canary')]);
    const { port } = count.address() as { port: number };
    const prelude = `${CONFINED}; export OUT=${base}/outside PORT=${port} VICTIM=${String(victim.pid)}; `;
    // A copy that any user may read; the checkout may be private.
    for (const name of ['process', 'core']) for (const part of ['dist', 'package.json']) {
      cpSync(fileURLToPath(new URL(`../../../${name}/${part}`, import.meta.url)), join(base, 'node_modules/@haft', name, part), { recursive: true });
    }
    writeFileSync(join(base, 'runner.mjs'), RUNNER);
    writeFileSync(join(base, 'plan.json'), JSON.stringify({ dist: join(base, 'node_modules/@haft/process/dist'), base, attacks: corpus, prelude }));
    if (isRoot) giveTo(base, uid);
    before = outsideState(base);
    const output = await runAs(uid, base);
    const lines = output.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as AttackResult & { probe?: unknown });
    probe = lines[0]?.probe;
    results = lines.slice(1);
  }, 240_000);

  afterAll(() => {
    victim.kill('SIGKILL');
    for (const server of servers) server.close();
    rmSync(base, { recursive: true, force: true });
  });

  test('the self-test passes', () => {
    expect(probe).toMatchObject({ ok: true });
  });

  test('every attack was run', () => {
    expect(results.map(({ name }) => name).sort()).toEqual(Object.keys(corpus).sort());
    expect(results.filter(({ error, output }) => error !== undefined || !output.startsWith('STARTED\n'))).toEqual([]);
  });

  test('no attack read a secret or did what it must not', () => {
    expect(results.filter(({ output }) => output.includes(SECRET) || output.includes('BREACH'))).toEqual([]);
  });

  test('nothing changed outside, and nobody was connected to', () => {
    expect(outsideState(base)).toEqual(before);
    expect(connections).toBe(0);
  });

  test('what is protected in each workspace is as it was', () => {
    const clean = protectedState(join(base, 'template'));
    const changed = results.filter(({ index }) => JSON.stringify(protectedState(join(base, `work-${index}`))) !== JSON.stringify(clean));
    expect(changed.map(({ name }) => name)).toEqual([]);
    const setId = spawnSync('find', [base, '-perm', '/6000']).stdout.toString();
    expect(setId).toBe('');
  });

  test('no process is left, and none outside was hurt', () => {
    expect(victim.exitCode).toBeNull();
    expect(victim.signalCode).toBeNull();
    expect(processesWith('987654')).toEqual([]);
  });
});

function makeTree(base: string): void {
  mkdirSync(join(base, 'outside', 'deep'), { recursive: true });
  writeFileSync(join(base, 'outside', 'secret'), `${SECRET}\n`);
  writeFileSync(join(base, 'outside', 'deep', 'file'), 'unchanged\n');
  const files: Record<string, string> = {
    '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': '[core]\n\trepositoryformatversion = 0\n', '.git/hooks/sample': 'sample\n', '.git/objects/info/x': '', '.git/refs/heads/x': '',
    '.git/modules/sub/HEAD': 'ref: refs/heads/main\n', '.git/modules/sub/config': '[core]\n', '.git/modules/sub/hooks/sample': 'sample\n', 'sub/.git': 'gitdir: ../.git/modules/sub\n',
    '.env': `KEY=${SECRET}\n`, 'packages/a/.env.local': `KEY=${SECRET}\n`, '.env.example': 'KEY=\n', 'agent.config.ts': 'export default {};\n', '.haft/grants.json': '{}\n', '.vscode/tasks.json': '{}\n', '.gitmodules': '[submodule "sub"]\n',
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(base, 'template', path, '..'), { recursive: true });
    writeFileSync(join(base, 'template', path), content);
  }
  symlinkSync(join(base, 'outside'), join(base, 'template', 'escape'));
}

/** Owned by the user of the attacks, so that nothing but the sandbox stands in the way. */
function giveTo(path: string, uid: number): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chownSync(path, uid, uid);
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), uid);
}

function outsideState(base: string): Record<string, string> {
  const state = { ...treeState(join(base, 'outside')), ...treeState(join(base, 'template')) };
  for (const path of ['/dev/null', '/dev/zero', '/dev/tty', '/usr/bin/bwrap', '/bin/bash', '/etc/passwd', '/etc/hostname']) state[path] = entryState(path);
  for (const folder of ['/', '/usr', '/usr/local/bin', '/etc', '/dev']) state[`names of ${folder}`] = readdirSync(folder).filter((name) => name.includes('haft-canary')).join();
  state['names in base'] = readdirSync(base).filter((name) => !name.startsWith('work-')).join();
  return state;
}

function protectedState(root: string): Record<string, string> {
  const paths = ['.git/hooks', '.git/config', '.git/modules/sub/hooks', '.git/modules/sub/config', 'sub/.git', 'agent.config.ts', '.haft', '.vscode', '.gitmodules'];
  const state = Object.fromEntries(paths.flatMap((path) => Object.entries(treeState(join(root, path)))).map(([path, entry]) => [path.slice(root.length), entry.replace(/ \d+$/, '')]));
  state['commondir'] = entryState(join(root, '.git', 'commondir'));
  return state;
}

function treeState(path: string): Record<string, string> {
  const state: Record<string, string> = { [path]: entryState(path) };
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) for (const name of readdirSync(path).sort()) Object.assign(state, treeState(join(path, name)));
  return state;
}

/** Kind, mode, owner, content and time of change. */
function entryState(path: string): string {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 'absent';
  const content = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : entry.isSymbolicLink() ? readlinkSync(path) : '';
  return `${entry.mode.toString(8)} ${entry.uid}:${entry.gid} ${content} ${entry.isCharacterDevice() ? 0 : entry.mtimeMs}`.replace(/\.\d+$/, '');
}

function listen(server: Server, where: number | string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    if (typeof where === 'number') server.listen(where, '127.0.0.1', resolve);
    else server.listen(where, resolve);
  });
}

function runAs(uid: number, base: string): Promise<string> {
  const node = [process.execPath, join(base, 'runner.mjs'), join(base, 'plan.json')];
  const [program = '', ...args] = isRoot && uid !== 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...node] : node;
  // Descriptors that its caller left open: they must not reach a command.
  const left = ['secret', 'deep', 'deep/file'].map((name) => openSync(join(base, 'outside', name), 'r'));
  const child = spawn(program, args, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit', ...left], env: { PATH: process.env['PATH'] ?? '', PLANTED_API_KEY: SECRET } });
  for (const descriptor of left) closeSync(descriptor);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => { output += chunk.toString(); });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => { resolve(output); });
  });
}

function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      return line.includes(text) && line.startsWith('sleep') ? [line] : [];
    } catch {
      return [];
    }
  });
}

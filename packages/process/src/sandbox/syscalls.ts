/** System call numbers that the filter speaks of, by machine: Linux `asm/unistd.h` of x86-64 and the generic table of arm64. */

export interface SyscallTable {
  /** AUDIT_ARCH_* of linux/audit.h. */
  audit: number;
  /** Bit of the number that marks another call convention (x32), if the machine has one. */
  foreignBit?: number;
  clone: number;
  clone3: number;
  ioctl: number;
  socket: number;
  /** Calls that set a file's mode, with the index of that argument. */
  setMode: Readonly<Record<string, readonly [number: number, modeArgument: number]>>;
  /** Calls that may create a file, with the indexes of flags and mode. */
  open: Readonly<Record<string, readonly [number: number, flagsArgument: number, modeArgument: number]>>;
  openat2: number;
  /** Refused whatever their arguments. */
  refused: Readonly<Record<string, number>>;
}

/** Numbers shared by all machines since Linux 5.1. */
const COMMON = {
  pidfd_getfd: 438, io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429, fsopen: 430, fsconfig: 431,
  fsmount: 432, fspick: 433, process_madvise: 440, mount_setattr: 442, quotactl_fd: 443, process_mrelease: 448, statmount: 457, listmount: 458, open_tree_attr: 467,
};

const X86_64: SyscallTable = {
  audit: 0xc000003e,
  foreignBit: 0x40000000,
  clone: 56,
  clone3: 435,
  ioctl: 16,
  socket: 41,
  setMode: { chmod: [90, 1], fchmod: [91, 1], fchmodat: [268, 2], fchmodat2: [452, 2], mkdir: [83, 1], mkdirat: [258, 2], mknod: [133, 1], mknodat: [259, 2], creat: [85, 1] },
  open: { open: [2, 1, 2], openat: [257, 2, 3] },
  openat2: 437,
  refused: {
    ...COMMON,
    ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, add_key: 248, request_key: 249, keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323,
    mount: 165, umount2: 166, pivot_root: 155, chroot: 161, unshare: 272, setns: 308, kexec_load: 246, kexec_file_load: 320, reboot: 169, swapon: 167, swapoff: 168,
    create_module: 174, init_module: 175, delete_module: 176, get_kernel_syms: 177, query_module: 178, finit_module: 313, iopl: 172, ioperm: 173, modify_ldt: 154, acct: 163,
    settimeofday: 164, clock_settime: 227, clock_adjtime: 305, adjtimex: 159, quotactl: 179, nfsservctl: 180, syslog: 103, sethostname: 170, setdomainname: 171,
    vhangup: 153, lookup_dcookie: 212, uselib: 134, _sysctl: 156, sysfs: 139, ustat: 136, name_to_handle_at: 303, open_by_handle_at: 304, fanotify_init: 300, fanotify_mark: 301,
    move_pages: 279, migrate_pages: 256, vmsplice: 278, personality: 135, vserver: 236, security: 185, tuxcall: 184, afs_syscall: 183,
  },
};

const ARM64: SyscallTable = {
  audit: 0xc00000b7,
  clone: 220,
  clone3: 435,
  ioctl: 29,
  socket: 198,
  setMode: { fchmod: [52, 1], fchmodat: [53, 2], fchmodat2: [452, 2], mkdirat: [34, 2], mknodat: [33, 2] },
  open: { openat: [56, 2, 3] },
  openat2: 437,
  refused: {
    ...COMMON,
    ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, add_key: 217, request_key: 218, keyctl: 219, bpf: 280, perf_event_open: 241, userfaultfd: 282,
    mount: 40, umount2: 39, pivot_root: 41, chroot: 51, unshare: 97, setns: 268, kexec_load: 104, kexec_file_load: 294, reboot: 142, swapon: 224, swapoff: 225,
    init_module: 105, delete_module: 106, finit_module: 273, acct: 89, settimeofday: 170, clock_settime: 112, clock_adjtime: 266, adjtimex: 171, quotactl: 60,
    nfsservctl: 42, syslog: 116, sethostname: 161, setdomainname: 162, vhangup: 58, lookup_dcookie: 18, name_to_handle_at: 264, open_by_handle_at: 265,
    fanotify_init: 262, fanotify_mark: 263, move_pages: 239, migrate_pages: 238, vmsplice: 75, personality: 92,
  },
};

/** undefined on a machine whose numbers are not known here: no filter, so no sandbox. */
export function syscallsOf(machine: string): SyscallTable | undefined {
  if (machine === 'x64') return X86_64;
  return machine === 'arm64' ? ARM64 : undefined;
}

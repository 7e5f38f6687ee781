/*
 * A library that hides instruction sets from the process that loads it. CPUID faults on Intel's
 * processors and on AMD's since Zen 5 when it is asked to (arch_prctl(2), ARCH_SET_CPUID); the
 * fault is answered with what the processor says, less the sets named by HIDDEN.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define ARCH_SET_CPUID 0x1012
#define BIT(n) (UINT32_C(1) << (n))

/* Of leaf 7: AVX-512 in EBX, ECX and EDX, AMX in EDX, VNNI of both widths. */
static const uint32_t avx512_b =
    BIT(16) | BIT(17) | BIT(21) | BIT(26) | BIT(27) | BIT(28) | BIT(30) | BIT(31);
static const uint32_t avx512_c = BIT(1) | BIT(6) | BIT(11) | BIT(12) | BIT(14);
static const uint32_t avx512_d = BIT(2) | BIT(3) | BIT(8) | BIT(23);
static const uint32_t avx512_vnni_c = BIT(11);
static const uint32_t amx_d = BIT(22) | BIT(24) | BIT(25);
static const uint32_t avx_vnni_a = BIT(4), avx512_bf16_a = BIT(5), amx_fp16_a = BIT(21);

static int hides_avx512, hides_vnni;
static struct sigaction next;
static int (*real_sigaction)(int, const struct sigaction *, struct sigaction *);

static void answer(greg_t *registers) {
  uint32_t leaf = registers[REG_RAX], part = registers[REG_RCX], a, b, c, d;
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 1UL);
  __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(part));
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0UL);
  if (leaf == 7 && part == 0) {
    d &= ~amx_d;
    if (hides_vnni) c &= ~avx512_vnni_c;
    if (hides_avx512) b &= ~avx512_b, c &= ~avx512_c, d &= ~avx512_d;
  }
  if (leaf == 7 && part == 1) {
    a &= ~amx_fp16_a;
    if (hides_vnni) a &= ~avx_vnni_a, d = 0;
    if (hides_avx512) a &= ~avx512_bf16_a;
  }
  registers[REG_RAX] = a;
  registers[REG_RBX] = b;
  registers[REG_RCX] = c;
  registers[REG_RDX] = d;
  registers[REG_RIP] += 2;
}

static void on_fault(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint8_t *code = (const uint8_t *)registers[REG_RIP];
  if (info->si_code == SI_KERNEL && code[0] == 0x0f && code[1] == 0xa2) {
    answer(registers);
  } else if (next.sa_flags & SA_SIGINFO) {
    next.sa_sigaction(number, info, context);
  } else if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN) {
    next.sa_handler(number);
  } else {
    signal(number, SIG_DFL);
    raise(number);
  }
}

/* Node handles the same signal, for WebAssembly. */
int sigaction(int number, const struct sigaction *set, struct sigaction *old) {
  if (!real_sigaction) real_sigaction = dlsym(RTLD_NEXT, "sigaction");
  if (number != SIGSEGV) return real_sigaction(number, set, old);
  if (old) *old = next;
  if (set) next = *set;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  hides_avx512 = strstr(HIDDEN, "avx512f") != NULL;
  hides_vnni = strstr(HIDDEN, "vnni") != NULL;
  real_sigaction = dlsym(RTLD_NEXT, "sigaction");
  struct sigaction own;
  memset(&own, 0, sizeof own);
  own.sa_sigaction = on_fault;
  own.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  real_sigaction(SIGSEGV, &own, NULL);
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0UL);
}

#include "textflag.h"

// A row of this table has 16 equal bytes, for the comparison with 16 bytes of a string.
DATA letters<>+0x00(SB)/8, $0x2222222222222222 // quote
DATA letters<>+0x08(SB)/8, $0x2222222222222222
DATA letters<>+0x10(SB)/8, $0x5c5c5c5c5c5c5c5c // backslash
DATA letters<>+0x18(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA letters<>+0x20(SB)/8, $0x1f1f1f1f1f1f1f1f // last control character
DATA letters<>+0x28(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA letters<>+0x30(SB)/8, $0x6e6e6e6e6e6e6e6e // n
DATA letters<>+0x38(SB)/8, $0x6e6e6e6e6e6e6e6e
DATA letters<>+0x40(SB)/8, $0x7474747474747474 // t
DATA letters<>+0x48(SB)/8, $0x7474747474747474
DATA letters<>+0x50(SB)/8, $0x7272727272727272 // r
DATA letters<>+0x58(SB)/8, $0x7272727272727272
DATA letters<>+0x60(SB)/8, $0x6262626262626262 // b
DATA letters<>+0x68(SB)/8, $0x6262626262626262
DATA letters<>+0x70(SB)/8, $0x6666666666666666 // f
DATA letters<>+0x78(SB)/8, $0x6666666666666666
DATA letters<>+0x80(SB)/8, $0x2f2f2f2f2f2f2f2f // slash
DATA letters<>+0x88(SB)/8, $0x2f2f2f2f2f2f2f2f
GLOBL letters<>(SB), RODATA|NOPTR, $0x90

// EQUAL sets the bytes of OUT at which IN equals LETTER.
#define EQUAL(IN, LETTER, OUT) \
	MOVO IN, OUT        \
	PCMPEQB LETTER, OUT

// BITS sets a bit of OUT for each byte of LOW and HIGH that is set.
#define BITS(LOW, HIGH, OUT) \
	PMOVMSKB LOW, OUT \
	PMOVMSKB HIGH, BX \
	SHLL $16, BX      \
	ORL BX, OUT

// OR_EQUAL is EQUAL for both halves of the 32 bytes. It keeps the bytes that are already set in X5 and X6.
#define OR_EQUAL(LETTER) \
	EQUAL(X3, LETTER, X7) \
	POR X7, X5            \
	EQUAL(X4, LETTER, X7) \
	POR X7, X6

// func skip(b []byte) (n int, escaped bool)
//
// The odd-even arithmetic that finds escaped bytes is from simdjson (Langdale, Lemire: Parsing Gigabytes of JSON per
// Second, 2019). It is needed because a byte after two backslashes isn't escaped.
//
// AX index of the 32 bytes, R8 1 if the byte before them escapes the first of them, R9 escaped.
// Bits for the 32 bytes: R10 quotes, R11 control characters, R12 backslashes, R13 escaped bytes.
TEXT ·skip(SB), NOSPLIT, $0-33
	MOVQ  b_base+0(FP), SI
	MOVQ  b_len+8(FP), CX
	SUBQ  $32, CX
	XORL  AX, AX
	XORL  R8, R8
	XORL  R9, R9
	MOVOU letters<>+0x00(SB), X0
	MOVOU letters<>+0x10(SB), X1
	MOVOU letters<>+0x20(SB), X2

loop:
	CMPQ  AX, CX
	JGT   short
	MOVOU (SI)(AX*1), X3
	MOVOU 16(SI)(AX*1), X4
	EQUAL(X3, X0, X5)
	EQUAL(X4, X0, X6)
	BITS(X5, X6, R10)
	EQUAL(X3, X1, X5)
	EQUAL(X4, X1, X6)
	BITS(X5, X6, R12)
	MOVO    X3, X5 // only for a control character, the smaller of it and 0x1f is itself
	PMINUB  X2, X5
	PCMPEQB X3, X5
	MOVO    X4, X6
	PMINUB  X2, X6
	PCMPEQB X4, X6
	BITS(X5, X6, R11)
	MOVL R12, R13
	ORL  R8, R13
	JNZ  escapes
	ORL  R10, R11
	JNZ  found
	ADDQ $32, AX
	JMP  loop

escapes:
	MOVL R8, DX
	NOTL DX
	ANDL R12, DX             // backslashes that may begin an escape
	LEAL (DX)(DX*1), DI
	ORL  $0xaaaaaaaa, DI
	SUBL DX, DI
	XORL $0xaaaaaaaa, DI     // backslashes that begin an escape, and the bytes after series of backslashes
	XORL DI, R13
	ANDL R12, DI
	SHRL $31, DI             // the next R8
	EQUAL(X3, X0, X5)
	EQUAL(X4, X0, X6)
	OR_EQUAL(X1)
	MOVOU letters<>+0x30(SB), X8
	OR_EQUAL(X8)
	MOVOU letters<>+0x40(SB), X8
	OR_EQUAL(X8)
	MOVOU letters<>+0x50(SB), X8
	OR_EQUAL(X8)
	MOVOU letters<>+0x60(SB), X8
	OR_EQUAL(X8)
	MOVOU letters<>+0x70(SB), X8
	OR_EQUAL(X8)
	MOVOU letters<>+0x80(SB), X8
	OR_EQUAL(X8)
	BITS(X5, X6, DX)         // letters of two-byte escapes
	NOTL DX
	ANDL R13, DX             // escaped bytes that are something else
	ORL  DX, R11
	MOVL R13, DX
	NOTL DX
	ANDL DX, R10             // quotes that aren't escaped
	ORL  R10, R11
	JNZ  foundEscape
	MOVL DI, R8
	MOVL $1, R9
	ADDQ $32, AX
	JMP  loop

foundEscape:
	BSFL R11, DX
	ADDQ DX, AX
	BTL  DX, R13             // before an escaped byte, stop at its backslash
	SBBQ $0, AX
	MOVL DX, CX
	MOVL $1, DX
	SHLL CX, DX
	DECL DX
	ANDL R12, DX
	ORL  R8, DX
	ORL  DX, R9
	JMP  end

found:
	BSFL R11, DX
	ADDQ DX, AX
	JMP  end

short:
	SUBQ R8, AX

end:
	MOVQ AX, n+24(FP)
	TESTL R9, R9
	SETNE escaped+32(FP)
	RET

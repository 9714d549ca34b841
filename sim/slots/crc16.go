package slots

// polynomial is that of CRC-16/XMODEM, x^16 + x^12 + x^5 + 1: initial value 0,
// nothing reflected, nothing added at the end.
const polynomial = 0x1021

// crcTable holds the CRC of each single byte.
var crcTable = makeCRCTable()

func makeCRCTable() (table [256]uint16) {
	for i := range table {
		crc := uint16(i) << 8
		for range 8 {
			carry := crc >> 15
			crc = crc<<1 ^ carry*polynomial
		}
		table[i] = crc
	}
	return table
}

func crc16(s string) uint16 {
	var crc uint16
	for i := range len(s) {
		crc = crc<<8 ^ crcTable[byte(crc>>8)^s[i]]
	}
	return crc
}

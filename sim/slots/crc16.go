package slots

// polynomial is that of CRC-16/XMODEM, x^16 + x^12 + x^5 + 1: initial value 0,
// nothing reflected, nothing added at the end.
const polynomial = 0x1021

// crcTables[k] holds the CRC of each single byte with k zero bytes behind it.
// Four of them take in four bytes at once, since the CRC of a sum is the sum of
// the CRCs: twice as fast on a key of 20 bytes as one byte after another.
var crcTables = makeCRCTables()

func makeCRCTables() (tables [4][256]uint16) {
	for i := range 256 {
		crc := uint16(i) << 8
		for k := range tables {
			for range 8 {
				carry := crc >> 15
				crc = crc<<1 ^ carry*polynomial
			}
			tables[k][i] = crc
		}
	}
	return tables
}

func crc16(s string) uint16 {
	var crc uint16
	for len(s) >= 4 {
		crc = crcTables[3][byte(crc>>8)^s[0]] ^ crcTables[2][byte(crc)^s[1]] ^
			crcTables[1][s[2]] ^ crcTables[0][s[3]]
		s = s[4:]
	}
	for i := range len(s) {
		crc = crc<<8 ^ crcTables[0][byte(crc>>8)^s[i]]
	}
	return crc
}

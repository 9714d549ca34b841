package sim

import _ "sync/atomic"

func concurrent(c chan int) {
	go concurrent(nil)
	c <- 1
	<-c
	select {}
}

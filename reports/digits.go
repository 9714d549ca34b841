package reports

import (
	"reflect"
	"strconv"

	"hotslot/experiment"
)

// digits is how many significant digits of a number are told at most. The last
// bits of what is computed may differ between architectures, some of which
// multiply and add in one step; nine digits are equal on all of them, and far
// more than are known.
const digits = 9

// settled returns a copy of a result with every number rounded to digits. All
// reports but the plots are made of it, so that each comparison that a report
// draws, and each byte of it, is the same on every architecture.
func settled(r *experiment.Result) *experiment.Result {
	return mapFloats(reflect.ValueOf(r), round).Interface().(*experiment.Result)
}

// round rounds v to nine significant digits. What is not finite stays.
func round(v float64) float64 {
	if !finite(v) {
		return v
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return rounded
}

// mapFloats copies a value with f applied to each float64 in it. Interfaces are
// left alone: they hold settings, which nothing computes.
func mapFloats(v reflect.Value, f func(float64) float64) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	switch v.Kind() {
	case reflect.Float64:
		to.SetFloat(f(v.Float()))
	case reflect.Struct:
		for i := range v.NumField() {
			to.Field(i).Set(mapFloats(v.Field(i), f))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			to.Set(reflect.New(v.Type().Elem()))
			to.Elem().Set(mapFloats(v.Elem(), f))
		}
	case reflect.Slice:
		if !v.IsNil() {
			to.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			to.Index(i).Set(mapFloats(v.Index(i), f))
		}
	case reflect.Map:
		if !v.IsNil() {
			to.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		}
		for entries := v.MapRange(); entries.Next(); {
			to.SetMapIndex(entries.Key(), mapFloats(entries.Value(), f))
		}
	}
	return to
}

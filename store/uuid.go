package store

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// registerUUID lets the driver send and read uuid.UUID in its binary form. Without it every UUID goes through its
// text form twice, a tenth of the CPU time of a write.
func registerUUID(m *pgtype.Map) {
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapUUIDEncode}, m.TryWrapEncodePlanFuncs...)
	m.TryWrapScanPlanFuncs = append([]pgtype.TryWrapScanPlanFunc{wrapUUIDScan}, m.TryWrapScanPlanFuncs...)
}

// binaryUUID is a UUID as the driver knows it.
type binaryUUID uuid.UUID //nolint:recvcheck // the driver encodes values and scans into pointers

// UUIDValue gives the bytes to the driver.
func (b binaryUUID) UUIDValue() (pgtype.UUID, error) {
	return pgtype.UUID{Bytes: b, Valid: true}, nil
}

// ScanUUID takes the bytes from the driver.
func (b *binaryUUID) ScanUUID(v pgtype.UUID) error {
	if !v.Valid {
		return fmt.Errorf("a null UUID does not fit %T", uuid.UUID{})
	}
	*b = v.Bytes
	return nil
}

func wrapUUIDEncode(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	if v, ok := value.(uuid.UUID); ok {
		return &uuidEncodePlan{}, binaryUUID(v), true
	}
	return nil, nil, false
}

func wrapUUIDScan(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	if t, ok := target.(*uuid.UUID); ok {
		return &uuidScanPlan{}, (*binaryUUID)(t), true
	}
	return nil, nil, false
}

type uuidEncodePlan struct{ next pgtype.EncodePlan }

func (p *uuidEncodePlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *uuidEncodePlan) Encode(value any, buf []byte) ([]byte, error) {
	v, ok := value.(uuid.UUID)
	if !ok {
		return nil, fmt.Errorf("encode a UUID: got %T", value)
	}
	return p.next.Encode(binaryUUID(v), buf)
}

type uuidScanPlan struct{ next pgtype.ScanPlan }

func (p *uuidScanPlan) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *uuidScanPlan) Scan(src []byte, dst any) error {
	t, ok := dst.(*uuid.UUID)
	if !ok {
		return fmt.Errorf("scan a UUID: into %T", dst)
	}
	return p.next.Scan(src, (*binaryUUID)(t))
}

package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// EssaySpec has a very long description in a single line that goes on and on until it has to be folded somewhere, which happens at spaces only, and once more if it does not come to its end soon.
type EssaySpec struct {
	// Short.
	Short string `json:"short"`
	// Two
	// lines.
	Two string `json:"two"`
	// A paragraph.
	//
	// Another one,   with spaces.
	//   - indented
	//
	//
	// After two empty lines.
	// +optional
	Paragraphs string `json:"paragraphs,omitempty"`
	// Before.
	// TODO: this is left out.
	// After.
	// ---
	// Everything below the dashes is left out.
	Todo string `json:"todo"`
	// Code:
	// ```yaml
	// TODO: kept
	// ---
	// a: b
	// ```
	// end
	Code string `json:"code"`
	// key: value in a line, that has to be quoted, it's clear and needs to be folded because it is long, too.
	Colon string `json:"colon"`
	// # begins with a hash
	Hash string `json:"hash"`
	// "begins with a quote"
	Quote string `json:"quote"`
	// Grüße, 世界: ünïcödé is counted by characters and not by bytes, which matters for folding äöü äöü äöü äöü.
	Unicode string `json:"unicode"`
	// An emoji 🎉 cannot be written plainly, and a line with one in it is quoted twice, and folded when it is too long.
	Emoji string `json:"emoji"`
	// A tab	inside.
	Tab string `json:"tab"`
	// Backslash \ and "quotes" and 'apostrophes'.
	Escapes string `json:"escapes"`
	// yes
	Yes string `json:"yes"`
	// 12
	Twelve string `json:"twelve"`
	// A-line-without-any-space-in-it-cannot-be-folded-however-long-it-may-be-and-so-it-stays-as-it-is-to-the-end and goes on.
	Unbroken string `json:"unbroken"`
	// Ends with a colon:
	EndsWithColon string `json:"endsWithColon"`
	None          string `json:"none"`
	X1            string `json:"x1"`
	X10           string `json:"x10"`
	X2            string `json:"x2"`
	Upper         string `json:"Upper"`
	Dash          string `json:"da-sh"`
	Under         string `json:"da_sh"`
	Dollar        string `json:"$dollar"`
	Yaml          string `json:"y"`
}

// Essay says much.
//
// It has two paragraphs.
type Essay struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec EssaySpec `json:"spec,omitempty"`
}

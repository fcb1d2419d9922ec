/** Address is where. */
export interface Address {
  street: string;
  country?: Country;
}

/**
 * Country by its code.
 * +kubebuilder:validation:Pattern=`^[A-Z]{2}$`
 */
export type Country = string;

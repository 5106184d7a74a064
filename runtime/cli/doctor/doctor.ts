export interface DoctorFlags {}
export async function examine(_flags: DoctorFlags): Promise<void> {}

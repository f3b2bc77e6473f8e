import { recoveryLimits } from '@hither/contract/runtime/auth/recovery.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { ActionRow } from '../../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../../ui/settings/RowButton.tsx'
import { signInStrings as strings } from '../sign-in-strings.ts'
import { recoveryCodesQuery } from './recovery-codes.api.ts'
import { useNewCodes } from './use-new-codes.tsx'

export function RecoveryCodesRow() {
  const { data: codes } = useQuery(recoveryCodesQuery())
  const { create, isCreating, dialogs } = useNewCodes()
  const [isAsking, setIsAsking] = useState(false)
  const hasCodes = (codes?.created_at ?? null) !== null
  const action = hasCodes ? strings.newCodes : strings.createCodes

  function handleConfirm() {
    setIsAsking(false)
    void create()
  }

  return (
    <>
      <ActionRow
        label={strings.recoveryCodes}
        text={hasCodes ? strings.codesLeft(codes?.remaining ?? 0, recoveryLimits.codes) : strings.noCodes}
      >
        <RowButton
          name={action}
          label={action}
          isWorking={isCreating}
          onClick={() => (hasCodes ? setIsAsking(true) : void create())}
        />
      </ActionRow>
      <ConfirmDialog
        open={isAsking}
        title={strings.newCodesTitle}
        text={strings.newCodesText}
        confirmLabel={strings.newCodes}
        onConfirm={handleConfirm}
        onClose={() => setIsAsking(false)}
      />
      {dialogs}
    </>
  )
}

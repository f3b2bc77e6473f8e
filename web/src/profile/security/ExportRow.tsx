import { exportAccount } from '@hither/contract/runtime/users.ts'
import { messageOf } from '../../api/api-error.ts'
import { ActionRow } from '../../ui/settings/ActionRow.tsx'
import { RowButton } from '../../ui/settings/RowButton.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useExportAccount } from '../profile.api.ts'
import { downloadFile } from './download-file.ts'
import { securityStrings as strings } from './security-strings.ts'

export function ExportRow() {
  const exporting = useExportAccount()
  const { showError, showNotice } = useSnackbar()

  async function handleExport() {
    try {
      const json = JSON.stringify(await exporting.mutateAsync(), null, 2)
      downloadFile(new Blob([json], { type: 'application/json' }), exportAccount.download)
      showNotice(strings.exportDone)
    } catch (error) {
      showError(messageOf(error, strings.exportFailed))
    }
  }

  return (
    <ActionRow label={strings.exportData} text={strings.exportText}>
      <RowButton
        name={strings.exportData}
        label={strings.exportAction}
        isWorking={exporting.isPending}
        onClick={handleExport}
      />
    </ActionRow>
  )
}

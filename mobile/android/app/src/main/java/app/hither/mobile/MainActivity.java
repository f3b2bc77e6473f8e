package app.hither.mobile;

import android.os.Bundle;
import androidx.activity.EdgeToEdge;
import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {

    @Override
    public void onCreate(Bundle savedInstanceState) {
        // The web app pads its own edges, by what SystemBars tells it.
        EdgeToEdge.enable(this);
        super.onCreate(savedInstanceState);
    }
}

import java.io.BufferedReader;
import java.io.InputStreamReader;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.C45Split;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Prints J48's trees. A line of input is an ARFF file (its last attribute is the class), a tab, and J48's options;
 * the answer is a line of JSON: the nodes, each before its branches, and the class distribution of every row.
 */
public class J48Trees {

  /** J48 keeps its tree to itself and its heirs. */
  static class Opened extends J48 {
    ClassifierTree root() {
      return m_root;
    }
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    String path = "";
    Instances rows = null;
    for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
      String[] parts = job.split("\t");
      if (!parts[0].equals(path)) {
        path = parts[0];
        rows = DataSource.read(path);
        rows.setClassIndex(rows.numAttributes() - 1);
      }
      Opened tree = new Opened();
      tree.setOptions(Utils.splitOptions(parts.length > 1 ? parts[1] : ""));
      tree.buildClassifier(rows);
      StringBuilder out = new StringBuilder("{\"nodes\": [");
      ClassifierTree root = tree.root();
      Distribution all = root.getLocalModel().distribution();
      double[] counts = new double[all.numClasses()];
      for (int k = 0; k < counts.length; k++) {
        counts[k] = all.perClass(k);
      }
      write(root, counts, all.maxClass(), rows, out);
      out.append("], \"posteriors\": [");
      for (int i = 0; i < rows.numInstances(); i++) {
        out.append(i > 0 ? ", " : "").append(list(tree.distributionForInstance(rows.instance(i))));
      }
      System.out.println(out.append("]}"));
    }
  }

  /** A node, then its branches; what is in a branch, its parent knows. */
  static void write(ClassifierTree node, double[] counts, int label, Instances rows, StringBuilder out)
      throws Exception {
    out.append("{\"counts\": ").append(list(counts)).append(", \"label\": ").append(label);
    if (node.isLeaf()) {
      out.append("}");
      return;
    }
    C45Split split = (C45Split) node.getLocalModel();
    out.append(", \"column\": ").append(split.attIndex()).append(", \"branches\": ").append(node.getSons().length);
    if (rows.attribute(split.attIndex()).isNumeric()) {
      out.append(", \"threshold\": ").append(split.splitPoint());
    }
    out.append("}");
    Distribution parted = split.distribution();
    for (int i = 0; i < node.getSons().length; i++) {
      double[] branch = new double[counts.length];
      for (int k = 0; k < branch.length; k++) {
        branch[k] = parted.perClassPerBag(i, k);
      }
      out.append(", ");
      write(node.getSons()[i], branch, parted.maxClass(i), rows, out);
    }
  }

  static String list(double[] numbers) {
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < numbers.length; i++) {
      out.append(i > 0 ? ", " : "").append(numbers[i]);
    }
    return out.append("]").toString();
  }
}
